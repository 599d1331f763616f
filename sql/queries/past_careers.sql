-- What judging each career of some runs took, with the models of one judge: calls and dollars, by run and person.
select unit_key, count(*) as calls, sum(cost_usd) as dollars, bool_or(cost_usd is null) as unpriced
from model_calls
where channel = :channel and run_key = any(:runs) and model = any(:models) and kind = 'chat' and state = 'done'
  and stage in ('verdicts', 'metrics')
group by unit_key
