-- Everybody who decided on what a gold version holds.
select distinct a.reviewer
from adjudications as a
join questions as q
  on q.channel = a.channel
 and (a.item_id = q.question_id or a.item_id like q.question_id || '/%')
where a.channel = :channel
  and q.state in ('kept', 'segregated')
order by a.reviewer
