-- Write how calls ended. A call that another process has taken over meanwhile is left to it.
-- The rows are locked in the order of their keys, as everywhere.
with mine as materialized (
    select call_key from model_calls
    where call_key = any(cast(:call_key as text[])) and state = 'in_flight' and owner = :owner
    order by call_key
    for update
)
update model_calls as held set
    state = given.state, reply = cast(given.reply as json), finish_reason = given.finish_reason,
    prompt_tokens = given.prompt_tokens, cached_tokens = given.cached_tokens,
    completion_tokens = given.completion_tokens, reasoning_tokens = given.reasoning_tokens,
    cost_usd = given.cost_usd, lost_usd = held.lost_usd + given.lost_usd,
    latency_ms = given.latency_ms, tries = held.tries + given.tries,
    error_code = given.error_code, error = given.error,
    owner = null, lease_until = null, reserved_usd = 0, budgets = '{}', finished_at = now()
from unnest(
    cast(:call_key as text[]), cast(:state as text[]), cast(:reply as text[]), cast(:finish_reason as text[]),
    cast(:prompt_tokens as bigint[]), cast(:cached_tokens as bigint[]), cast(:completion_tokens as bigint[]),
    cast(:reasoning_tokens as bigint[]), cast(:cost_usd as numeric[]), cast(:lost_usd as numeric[]),
    cast(:latency_ms as integer[]), cast(:tries as integer[]), cast(:error_code as text[]), cast(:error as text[])
) as given (call_key, state, reply, finish_reason, prompt_tokens, cached_tokens, completion_tokens,
    reasoning_tokens, cost_usd, lost_usd, latency_ms, tries, error_code, error)
join mine using (call_key)
where held.call_key = given.call_key
returning held.call_key
