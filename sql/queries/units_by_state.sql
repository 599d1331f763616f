select channel, stage,
       count(*) filter (where state = 'done') as done,
       count(*) filter (where state = 'unscored') as unscored,
       count(*) filter (where state = 'blocked') as blocked,
       count(*) filter (where state in ('error', 'open')) as error,
       min(reason) filter (where state <> 'done') as reason
from stage_run
where channel = any(:channels)
group by channel, stage
order by channel, stage
