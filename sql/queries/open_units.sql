-- Units that failed or were left open, by stage; metrics refuse to pool over them.
select stage, count(*) as units, min(reason) as reason
from stage_run
where state in ('open', 'error')
group by stage
order by stage
