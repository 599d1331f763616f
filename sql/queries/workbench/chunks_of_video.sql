select c.chunk_id, c.start_seconds, c.invented, t.text
from chunks as c
join chunk_texts as t using (channel, chunk_id, text_sha256)
where c.channel = :channel
  and c.video_id = :video_id
order by c.position
