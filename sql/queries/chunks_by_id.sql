-- The chunks among some ids that the channel's active videos have now.
select c.chunk_id, c.text_sha256, c.video_id, v.title, v.published_at, c.start_seconds, c.spoken_text
from chunks c
join videos v on v.channel = c.channel and v.video_id = c.video_id
where c.channel = :channel and v.state = 'active'
  and (cast(:until as date) is null or v.published_at < cast(:until as date) + 1) and c.chunk_id = any(:chunk_ids)
order by c.chunk_id
