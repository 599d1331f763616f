-- The texts of all chunks that some run retrieved.
select chunk_id, text_sha256, text
from chunk_texts
where channel = :channel
  and (chunk_id, text_sha256) in (
      select chunk_id, text_sha256 from trail_chunks where run_key = any(:run_keys)
  )
order by chunk_id, text_sha256
