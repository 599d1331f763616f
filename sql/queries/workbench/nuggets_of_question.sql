select
    nugget_id, kind, text, state, window_text, window_from, window_to, claim_ids, chunk_ids, detail, written_by
from nuggets
where channel = :channel
  and question_id = :question_id
order by array_position(array['stance', 'fact', 'event', 'shift', 'no_change'], kind), window_from, length(nugget_id),
         nugget_id
