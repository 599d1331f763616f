-- Questions that a gold version holds, with what it must know of them.
select
    question_id, tier, text, state, claim_ids, chunk_ids, window_from, window_to, written_by, detail
from questions
where channel = :channel
  and state in ('kept', 'segregated')
order by question_id
