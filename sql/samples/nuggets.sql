-- Three nuggets that are not cut.
select question_id || '/' || nugget_id || ' (' || kind || '): ' || left(text, 240)
from nuggets
where state <> 'cut'
order by md5(question_id || nugget_id)
limit 3
