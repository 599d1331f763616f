select channel || '/' || coalesce(video_id, file) as unit, code || ': ' || message as problem
from quarantine
order by 1
