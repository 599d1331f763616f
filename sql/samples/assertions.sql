-- Three assertions of a run's answers.
select question_id || '/' || ordinal || ': ' || left(text, 240)
from assertions
where run_key = :run_key
order by md5(question_id || ordinal)
limit 3
