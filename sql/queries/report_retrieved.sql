-- The days of all that some runs retrieved for some questions.
select distinct run_key, question_id, cast(published_at at time zone 'UTC' as date) as day
from trail_chunks
where run_key = any(:run_keys)
  and question_id = any(:question_ids)
  and published_at is not null
order by run_key, question_id, day
