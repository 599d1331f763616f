select n.question_id || '/' || n.nugget_id as item_id, n.text, n.detail
from nuggets as n
join questions as q using (channel, question_id)
where n.channel = :channel
  and n.state = 'proposed'
  and q.state in ('kept', 'segregated')
order by item_id
