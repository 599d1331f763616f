select c.chunk_id, t.text
from chunks as c
join chunk_texts as t using (channel, chunk_id, text_sha256)
where c.channel = :channel
  and c.chunk_id = any(:chunk_ids)
