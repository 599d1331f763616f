select t.run_key || '/' || t.question_id as unit, 'cites ' || citation.id || ', which it never retrieved' as problem
from trails t
join runs r using (run_key)
cross join unnest(t.citations) as citation (id)
where r.channel = :channel
  and (cast(:run_key as text) is null or r.run_key = :run_key)
  and t.state = 'done'
  and t.reports_retrieval
  and not exists (
    select from trail_chunks k
    where k.run_key = t.run_key and k.question_id = t.question_id and k.chunk_id = citation.id)
order by 1
