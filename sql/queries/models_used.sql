-- Which model did which tasks for a channel, on which prompts, as the ledger has it; the rules are no model.
select distinct model, task, prompt_hash
from model_calls
where channel = :channel
  and kind = 'chat'
  and state = 'done'
  and task = any(:tasks)
order by model, task, prompt_hash
