-- Every verdict with the claim, the judge and the reason; the judged text is in texts.
select run_verdicts.run_key,
       run_verdicts.question_id,
       run_verdicts.purpose,
       run_verdicts.item_id,
       verdicts.claim,
       verdicts.claim_kind,
       verdicts.text_sha256,
       verdicts.judge_id,
       verdicts.label,
       verdicts.reason,
       verdicts.unscored
from run_verdicts
join verdicts using (verdict_id)
where run_verdicts.run_key = any(:run_keys)
order by run_verdicts.run_key, run_verdicts.question_id, run_verdicts.purpose, run_verdicts.item_id
