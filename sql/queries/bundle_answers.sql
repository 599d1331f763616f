-- What was asked and answered, with all that each run retrieved.
select trails.run_key,
       trails.question_id,
       trails.question,
       trails.answer,
       trails.citations,
       trails.evidence,
       trails.events,
       (select array_agg(chunk_id order by first_step, rank, chunk_id) from trail_chunks
        where trail_chunks.run_key = trails.run_key and trail_chunks.question_id = trails.question_id) as retrieved
from trails
where run_key = any(:run_keys)
order by run_key, question_id
