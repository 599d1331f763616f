-- The same run again is the same row; an arm that was configured anew is taken over.
insert into runs (run_key, channel, arm, arm_hash, arm_config, gold_version, corpus_id, repetition, epoch)
values (:run_key, :channel, :arm, :arm_hash, :arm_config, :gold_version, :corpus_id, :repetition, :epoch)
on conflict (run_key) do update
set arm_hash = excluded.arm_hash, arm_config = excluded.arm_config
where runs.arm_hash <> excluded.arm_hash
