select channel || '/' || question_id as unit, warning ->> 'message' as problem
from questions
cross join lateral jsonb_array_elements(coalesce(detail -> 'warnings', '[]')) as warning
where channel = :channel and state in ('proposed', 'kept') and warning ->> 'gate' = 'gives_away'
union
select channel || '/' || question_id, 'Its nuggets are all given away.'
from questions
where channel = :channel and state in ('proposed', 'kept') and detail ->> 'given_away' = 'true'
order by 1
