select question_id, text, state, unit_key, claim_ids
from questions
where channel = :channel
order by question_id
