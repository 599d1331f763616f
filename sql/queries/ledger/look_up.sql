select call_key, state, reply, finish_reason, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens,
       cost_usd, owner, budgets, reserved_usd, state = 'in_flight'
           and lease_until between now() and now() + interval '5 minutes' as in_flight -- later: the clock was set back
from model_calls
where call_key = any(:keys)
