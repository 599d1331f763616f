-- Whether some runs state the nuggets of some questions; unscored verdicts are left out.
select run_verdicts.run_key, run_verdicts.question_id, run_verdicts.item_id, verdicts.label
from run_verdicts
join verdicts using (verdict_id)
where run_verdicts.purpose = 'recall'
  and run_verdicts.run_key = any(:run_keys)
  and run_verdicts.question_id = any(:question_ids)
  and verdicts.label is not null
order by run_verdicts.run_key, run_verdicts.question_id, run_verdicts.item_id
