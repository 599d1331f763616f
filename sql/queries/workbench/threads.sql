select
    thread_id, topic, videos, first_date, last_date, cardinality(claim_ids) as claims, count(*) over () as total
from threads
where channel = :channel
  and (:find = '' or strpos(lower(topic), lower(:find)) > 0)
order by cardinality(claim_ids) desc, thread_id
limit :page offset :offset
