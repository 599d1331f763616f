select run_key, question_id, ordinal, text, cited_chunk_ids
from assertions
where run_key = any(:run_keys)
order by run_key, question_id, ordinal
