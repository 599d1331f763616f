update model_calls
set lease_until = clock_timestamp() + make_interval(secs => :lease)
where owner = :owner
  and state = 'in_flight'
