select call_key, state, reply, finish_reason, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens,
       cost_usd, owner, budgets, reserved_usd, state = 'in_flight' and lease_until >= now() as in_flight
from model_calls
where call_key = any(:keys)
