select
    k.claim_id, k.video_id, k.text, k.confidence, k.chunk_ids, k.topics, k.entities, k.flags, v.title,
    (v.published_at at time zone 'UTC')::date as day, count(*) over () as total
from claims as k
join videos as v using (channel, video_id)
where k.channel = :channel
  and (:video_id = '' or k.video_id = :video_id)
  and (:topic = '' or :topic = any(k.topics))
  and (:find = '' or strpos(lower(k.text), lower(:find)) > 0 or k.claim_id = :find)
order by v.published_at, k.video_id, k.claim_id
limit :page offset :offset
