select question_id, nugget_id, kind, text, window_text, window_from, window_to, claim_ids, chunk_ids, written_by, detail
from nuggets
where channel = :channel
  and state = 'kept'
order by question_id, nugget_id
