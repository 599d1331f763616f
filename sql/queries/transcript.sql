-- Every chunk of a channel's active videos, videos by date.
select c.chunk_id, c.text_sha256, c.video_id, v.title, v.published_at, c.start_seconds, c.spoken_text
from chunks c
join videos v on v.channel = c.channel and v.video_id = c.video_id
where c.channel = :channel and v.state = 'active'
  and (cast(:until as date) is null or v.published_at < cast(:until as date) + 1)
order by v.published_at, c.video_id, c.position
