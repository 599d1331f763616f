select key, output_hash
from stage_run
where stage = :stage
  and channel = :channel
  and state in ('done', 'unscored')
order by key
