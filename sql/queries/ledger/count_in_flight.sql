select pool, count(*) as calls
from model_calls
where pool = any(:pools)
  and state = 'in_flight'
  and lease_until >= now()
group by pool
