-- What a channel's scoreboard is made from: its runs in prose as scored or refused, its calibrations, its gold versions.
select stage, key, state, output_hash
from stage_run
where channel = :channel and stage in ('metrics', 'calibration')
  and not exists (
      select from runs where run_key = stage_run.key and arm_config -> 'settings' ->> 'agent' = 'biography')
union all
select 'gold', gold_version, 'done', content_sha256
from gold_versions
where channel = :channel
order by stage, key
