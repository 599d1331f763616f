-- Claim and reason of single verdicts, named by run, question, purpose and item.
select run_verdicts.run_key,
       run_verdicts.question_id,
       run_verdicts.purpose,
       run_verdicts.item_id,
       verdicts.claim,
       verdicts.reason
from unnest(cast(:run_keys as text[]), cast(:question_ids as text[]), cast(:purposes as text[]),
            cast(:item_ids as text[])) as wanted (run_key, question_id, purpose, item_id)
join run_verdicts using (run_key, question_id, purpose, item_id)
join verdicts using (verdict_id)
