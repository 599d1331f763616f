select r.purpose, r.item_id, v.label, v.reason, v.unscored, v.by_rule, v.claim
from run_verdicts as r
join verdicts as v using (verdict_id)
where r.run_key = :run_key
  and r.question_id = :question_id
  and r.purpose = any(array['recall', 'ceiling', 'grounded', 'cited'])
order by r.purpose, length(r.item_id), r.item_id
