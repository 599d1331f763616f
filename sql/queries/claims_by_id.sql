-- Claims with their days and the texts of their chunks, in order of time.
select
    c.claim_id, c.video_id, c.text, c.topics, c.entities, c.chunk_ids, c.flags, c.confidence,
    (v.published_at at time zone 'UTC')::date as day
from claims as c
join videos as v using (channel, video_id)
where c.channel = :channel
  and c.claim_id = any(:claim_ids)
order by day, c.claim_id
