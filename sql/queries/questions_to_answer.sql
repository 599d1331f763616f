-- Questions that nuggets are written for: kept ones, and traps, if they were written from claims.
select question_id, tier, text, claim_ids, detail
from questions
where channel = :channel
  and tier <> 'biography'
  and cardinality(claim_ids) > 0
  and (state = 'kept' or (state = 'segregated' and detail ? 'trap'))
order by question_id
