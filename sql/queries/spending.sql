-- What model calls cost, by task, stage, run or arm. Work done by rules costs nothing and is left out.
select channel,
       case :by when 'task' then task
                when 'stage' then stage
                when 'run' then coalesce(run_key, '')
                when 'arm' then coalesce(arm, '') end as name,
       model,
       count(*) filter (where state = 'done') as calls,
       count(*) filter (where state = 'error') as failed,
       sum(prompt_tokens) as prompt_tokens,
       sum(cached_tokens) as cached_tokens,
       sum(completion_tokens) as completion_tokens,
       sum(reasoning_tokens) as reasoning_tokens,
       sum(cost_usd) as known_usd,
       count(*) filter (where state = 'done' and cost_usd is null) as calls_of_unknown_cost,
       sum(lost_usd) as lost_usd
from model_calls
where kind <> 'rules'
  and (cast(:channel as text) is null or channel = :channel)
group by 1, 2, 3
order by 1, 2, 3
