-- Three proposed or kept questions.
select question_id || ' (' || tier || ', ' || state || '): ' || left(text, 240)
from questions
where state <> 'cut'
order by md5(question_id)
limit 3
