-- Chunks by id as the corpus has them now, with their videos.
select
    c.chunk_id, c.video_id, c.start_seconds, c.end_seconds, t.text, v.title, v.url, v.published_at, v.kind,
    (v.published_at at time zone 'UTC')::date as day
from chunks as c
join videos as v using (channel, video_id)
join chunk_texts as t using (channel, chunk_id, text_sha256)
where c.channel = :channel
  and c.chunk_id = any(:chunk_ids)
order by v.published_at, c.video_id, c.position
