select channel || '/' || question_id || '/' || nugget_id as unit, 'is a stance without a time window' as problem
from nuggets
where channel = :channel
  and kind = 'stance'
  and state <> 'cut'
  and (window_from is null or window_to is null)
order by 1
