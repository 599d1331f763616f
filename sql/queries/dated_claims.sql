-- The claims of a channel's active videos with their days.
select c.claim_id, c.video_id, (v.published_at at time zone 'UTC')::date as day, c.text, c.topics
from claims as c
join videos as v using (channel, video_id)
where c.channel = :channel
  and v.state = 'active'
  and (cast(:confidence as text) is null or c.confidence = :confidence)
order by day, c.claim_id
