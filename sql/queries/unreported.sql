select stage, key, output_hash, code_version, counts
from stage_run
where state in ('done', 'unscored')
  and reported_hash is distinct from output_hash || ':' || code_version
order by stage, key
