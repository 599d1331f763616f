-- A thread is made of existing, high-confidence claims; its figures are those of its claims, and reach far enough.
with members as (
    select t.channel, t.thread_id, t.videos, t.first_date, t.last_date, claim.id as claim_id,
           c.confidence, c.video_id, (v.published_at at time zone 'UTC')::date as day
    from threads t
    cross join unnest(t.claim_ids) as claim (id)
    left join claims c on c.channel = t.channel and c.claim_id = claim.id
    left join videos v on v.channel = c.channel and v.video_id = c.video_id
    where t.channel = :channel
)
select channel || '/' || thread_id as unit,
       case when confidence is null then claim_id || ' does not exist' else claim_id || ' is not of high confidence' end
           as problem
from members
where confidence is distinct from 'high'
union all
select channel || '/' || thread_id, 'its figures are not those of its claims'
from members
group by channel, thread_id, videos, first_date, last_date
having count(distinct video_id) <> videos or min(day) <> first_date or max(day) <> last_date
union all
select channel || '/' || thread_id,
       'spans ' || videos || ' videos and ' || (last_date - first_date) || ' days'
from threads
where channel = :channel
  and (videos < :min_videos or last_date - first_date < :min_days)
order by 1
