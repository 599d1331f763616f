-- Three answers of a run.
select question_id || ': ' || left(question, 160) || ' -> ' || coalesce(left(answer, 240), error, 'no answer')
from trails
where run_key = :run_key
order by md5(question_id)
limit 3
