-- How a run's units stand in the stages that metrics hang on; their keys begin with the run's key.
select stage, key, state, output_hash, reason
from stage_run
where channel = :channel
  and stage in ('agent_runs', 'assertions', 'verdicts')
  and (key = :run_key or starts_with(key, :run_key || '/'))
order by stage, key
