select c.chunk_id, t.text
from chunks c
join chunk_texts t using (channel, chunk_id, text_sha256)
where c.channel = :channel
  and c.chunk_id = any(:ids)
order by c.chunk_id
