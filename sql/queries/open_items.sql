-- Proposals that nobody has decided; nuggets count once their question is in the gold.
select question_id as item
from questions
where channel = :channel and state = 'proposed'
union all
select n.question_id || '/' || n.nugget_id
from nuggets n
join questions q using (channel, question_id)
where n.channel = :channel and n.state = 'proposed' and q.state in ('kept', 'segregated')
order by 1
