select pool, count(*) as calls
from model_calls
where pool = any(:pools)
  and state = 'in_flight'
  and lease_until between now() and now() + interval '5 minutes' -- later: the clock was set back
group by pool
