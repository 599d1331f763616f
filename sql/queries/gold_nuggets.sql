select
    n.question_id, n.nugget_id, n.kind, n.text, n.state, n.window_text, n.window_from, n.window_to, n.claim_ids,
    n.chunk_ids, n.written_by, n.detail
from nuggets as n
join questions as q using (channel, question_id)
where n.channel = :channel
  and q.state in ('kept', 'segregated')
  and n.state <> 'cut'
order by n.question_id, n.nugget_id
