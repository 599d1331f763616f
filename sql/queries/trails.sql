-- A run's trails, or the one of a question.
select t.*, s.seconds
from trails t
left join timings s using (run_key, question_id)
where t.run_key = :run_key and (cast(:question_id as text) is null or t.question_id = :question_id)
order by t.question_id
