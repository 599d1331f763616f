-- A budget begins with what the ledger says was spent on its account before anybody set a limit.
insert into budgets (budget, spent_usd)
select budget, coalesce((
    select sum(coalesce(cost_usd, 0) + lost_usd)
    from model_calls
    where kind <> 'rules'
      and (budget = 'run ' || run_key
           or budget = 'day ' || to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD')
           or (run_key is null and budget =
               'outside runs ' || to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD') || ' ' || channel))
), 0)
from unnest(cast(:budgets as text[])) as given (budget)
order by budget
on conflict do nothing
