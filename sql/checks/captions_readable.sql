select channel || '/' || coalesce(video_id, file) as unit, string_agg(code || ': ' || message, '; ' order by code) as problem
from quarantine
where channel = :channel
group by channel, file, video_id
order by 1
