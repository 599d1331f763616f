-- The chunks that a run can be checked against for one question, with the text and the date of that time.
select trail_chunks.chunk_id,
       trail_chunks.published_at at time zone 'UTC' as published,
       chunk_texts.text
from trail_chunks
join runs using (run_key)
left join chunk_texts
  on chunk_texts.channel = runs.channel
 and chunk_texts.chunk_id = trail_chunks.chunk_id
 and chunk_texts.text_sha256 = trail_chunks.text_sha256
where trail_chunks.run_key = :run_key and trail_chunks.question_id = :question_id
order by trail_chunks.chunk_id
