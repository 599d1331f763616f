select s.key as unit, s.stage || ' is ' || s.state || coalesce(': ' || s.reason, '') as problem
from stage_run s
where s.channel = :channel
  and s.stage in ('agent_runs', 'assertions', 'verdicts')
  and s.state in ('open', 'error', 'blocked')
  and (cast(:run_key as text) is null or starts_with(s.key, :run_key || '/'))
order by 1
