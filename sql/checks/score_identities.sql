-- The gate's word on each run's metrics and on the scoreboard.
select key as unit, description as problem
from gates
where channel = :channel
  and gate = 'score_identities'
  and not passed
  and (cast(:run_key as text) is null or key = :run_key)
order by 1
