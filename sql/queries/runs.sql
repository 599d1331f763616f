-- Runs of a channel, or the one of a key, oldest first.
select run_key, channel, arm, arm_hash, arm_config, gold_version, corpus_id, repetition, epoch
from runs
where (cast(:channel as text) is null or channel = :channel)
  and (cast(:run_key as text) is null or run_key = :run_key)
order by made_at, run_key
