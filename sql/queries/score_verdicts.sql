-- The verdicts of one run, those of one question together.
select run_verdicts.question_id,
       run_verdicts.purpose,
       run_verdicts.item_id,
       verdicts.label,
       verdicts.unscored,
       verdicts.by_rule,
       verdicts.detail,
       miss_kinds.kind as miss_kind
from run_verdicts
join verdicts using (verdict_id)
left join miss_kinds
  on run_verdicts.purpose = 'recall'
 and miss_kinds.run_key = run_verdicts.run_key
 and miss_kinds.question_id = run_verdicts.question_id
 and miss_kinds.nugget_id = run_verdicts.item_id
where run_verdicts.run_key = :run_key
order by run_verdicts.question_id
