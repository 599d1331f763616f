select stage, key, output_hash, code_version, counts
from stage_run
where state in ('done', 'unscored')
  and stage = any(:stages)
  and (:all_keys or key = any(:keys))
order by stage, key
