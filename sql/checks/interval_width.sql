select m.run_key || ' ' || m.tier as unit,
       'recall is known to ' || round(cast(100 * (m.high - m.low) as numeric), 1) || ' points' as problem
from metrics m
join runs r using (run_key)
where r.channel = :channel
  and (cast(:run_key as text) is null or r.run_key = :run_key)
  and m.metric = 'recall'
  and m.high - m.low > :max_interval_width
order by 1
