-- Take calls that nobody makes or has made. A failed call and an expired lease are taken over.
-- A lease far in the future was written before the clock was set back: nobody holds it (its owner would renew it).
-- A lease begins when it is written: the transaction may have waited for the pool's row.
insert into model_calls as held (call_key, kind, channel, task, task_version, model, pool, prompt_hash, stage,
    unit_key, run_key, arm, state, owner, lease_until, request, budgets, reserved_usd)
select call_key, kind, channel, task, task_version, model, pool, prompt_hash, stage,
    unit_key, run_key, arm, 'in_flight', :owner, clock_timestamp() + make_interval(secs => :lease), cast(request as json),
    cast(budgets as text[]), reserved_usd
from unnest(
    cast(:call_key as text[]), cast(:kind as text[]), cast(:channel as text[]), cast(:task as text[]),
    cast(:task_version as text[]), cast(:model as text[]), cast(:pool as text[]), cast(:prompt_hash as text[]),
    cast(:stage as text[]), cast(:unit_key as text[]), cast(:run_key as text[]), cast(:arm as text[]),
    cast(:request as text[]), cast(:budgets as text[]), cast(:reserved_usd as numeric[])
) as given (call_key, kind, channel, task, task_version, model, pool, prompt_hash, stage, unit_key, run_key, arm,
    request, budgets, reserved_usd)
order by call_key
on conflict (call_key) do update set
    channel = excluded.channel, stage = excluded.stage, unit_key = excluded.unit_key, run_key = excluded.run_key,
    arm = excluded.arm, state = 'in_flight', owner = excluded.owner, lease_until = excluded.lease_until,
    budgets = excluded.budgets, reserved_usd = excluded.reserved_usd,
    lost_usd = held.lost_usd + case when held.state = 'in_flight' then held.reserved_usd else 0 end,
    error = null, error_code = null, started_at = now(), finished_at = null
where held.state = 'error' or (held.state = 'in_flight'
    and held.lease_until not between now() and now() + interval '5 minutes')
returning call_key
