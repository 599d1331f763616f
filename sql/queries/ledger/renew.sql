update model_calls
set lease_until = now() + make_interval(secs => :lease)
where owner = :owner
  and state = 'in_flight'
