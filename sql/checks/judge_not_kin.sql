-- The gate's word on each unit of verdicts.
select key as unit, description as problem
from gates
where channel = :channel
  and gate = 'judge_not_kin_to_agent'
  and not passed
  and (cast(:run_key as text) is null or starts_with(key, :run_key || '/'))
order by 1
