select t.channel || '/' || t.thread_id as unit,
       case when c.claim_id is null then claim || ' does not exist'
            when c.confidence <> 'high' then claim || ' is not of high confidence'
            else claim || ' lacks the topic ' || t.topic end as problem
from threads t
cross join unnest(t.claim_ids) as claim
left join claims c on c.channel = t.channel and c.claim_id = claim
where c.claim_id is null
   or c.confidence <> 'high'
   or not t.topic = any(c.topics)
order by 1
