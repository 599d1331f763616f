select
    question_id, tier, text, state, thread_id, claim_ids, chunk_ids, window_from, window_to, detail, written_by
from questions
where channel = :channel
  and question_id = :question_id
