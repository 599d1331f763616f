insert into model_calls (call_key, kind, channel, task, task_version, model, pool, prompt_hash, stage, unit_key,
    run_key, arm, state, request, reply, finish_reason, cost_usd, tries, finished_at)
select call_key, 'rules', channel, task, task_version, 'baseline', 'baseline', prompt_hash, stage, unit_key,
    run_key, arm, 'done', cast(request as json), cast(reply as json), 'stop', 0, 1, now()
from unnest(
    cast(:call_key as text[]), cast(:channel as text[]), cast(:task as text[]), cast(:task_version as text[]),
    cast(:prompt_hash as text[]), cast(:stage as text[]), cast(:unit_key as text[]), cast(:run_key as text[]),
    cast(:arm as text[]), cast(:request as text[]), cast(:reply as text[])
) as given (call_key, channel, task, task_version, prompt_hash, stage, unit_key, run_key, arm, request, reply)
order by call_key
on conflict do nothing
