-- What other judges say of the same pairs of nugget and answer: the members of a panel, or a judge asked earlier.
select distinct on (other.judge_id, run_verdicts.question_id, run_verdicts.item_id)
       other.judge_id,
       run_verdicts.question_id,
       run_verdicts.item_id,
       other.label,
       other.unscored
from run_verdicts
join verdicts as ours using (verdict_id)
join verdicts as other
  on other.text_sha256 = ours.text_sha256
 and other.purpose = ours.purpose
 and other.claim = ours.claim
 and other.claim_kind = ours.claim_kind
 and other.claim_window is not distinct from ours.claim_window
 and other.question is not distinct from ours.question
 and other.judge_id <> ours.judge_id
where run_verdicts.run_key = :run_key
  and run_verdicts.purpose = 'recall'
order by other.judge_id, run_verdicts.question_id, run_verdicts.item_id, other.label nulls last, other.verdict_id
