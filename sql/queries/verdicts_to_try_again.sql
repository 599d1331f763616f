-- Questions of a run with a verdict, or a sorted miss, that is lacking for a reason which may have passed.
select run_verdicts.question_id
from run_verdicts
join verdicts using (verdict_id)
where run_verdicts.run_key = :run_key
  and verdicts.unscored = any(:codes)
union
select question_id
from miss_kinds
where run_key = :run_key
  and kind is null
  and split_part(reason, ':', 1) = any(:codes)
