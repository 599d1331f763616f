select channel || '/' || thread_id as unit, 'is of the stopped topic ' || topic as problem
from threads
where channel = :channel
  and (topic = any(cast(:stopped as text[]))
       or exists (select from unnest(cast(:stopped_starts as text[])) as start (words) where starts_with(topic, words)))
order by 1
