select t.run_key || '/' || t.question_id as unit, 'cites ' || citation.id || ', which it never retrieved' as problem
from trails t
cross join unnest(t.citations) as citation (id)
where t.state = 'done'
  and t.reports_retrieval
  and not exists (
    select from trail_chunks k
    where k.run_key = t.run_key and k.question_id = t.question_id and k.chunk_id = citation.id)
order by 1
