select channel || '/' || question_id || '/' || nugget_id as unit, warning ->> 'message' as problem
from nuggets
cross join lateral jsonb_array_elements(coalesce(detail -> 'warnings', '[]')) as warning
where channel = :channel and state <> 'cut' and warning ->> 'gate' = 'bundled'
order by 1
