select s.key as unit, s.state || coalesce(': ' || s.reason, '') as problem
from stage_run s
where s.stage in ('agent_runs', 'assertions', 'verdicts')
  and s.state in ('open', 'error', 'blocked')
order by 1
