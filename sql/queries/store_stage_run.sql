insert into stage_run (stage, key, channel, input_hash, code_version, output_hash, state, reason, counts)
values (:stage, :key, :channel, :input_hash, :code_version, :output_hash, :state, :reason, cast(:counts as jsonb))
on conflict (stage, key) do update set
    channel = excluded.channel,
    input_hash = excluded.input_hash,
    code_version = excluded.code_version,
    -- an error keeps the last good result's hash: what hangs on it still holds
    output_hash = coalesce(excluded.output_hash, stage_run.output_hash),
    state = excluded.state,
    reason = excluded.reason,
    counts = excluded.counts,
    finished_at = now()
