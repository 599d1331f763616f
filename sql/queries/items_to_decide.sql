-- Proposals with what a person needs beside them; with :everything also what is decided already.
select
    'question' as kind, question_id as item_id, state, text, null as window_text, claim_ids, chunk_ids, detail,
    encode(sha256(convert_to(text, 'UTF8')), 'hex') as text_sha256
from questions
where channel = :channel
  and (:everything or state = 'proposed')
union all
select
    'nugget', n.question_id || '/' || n.nugget_id, n.state, n.text, n.window_text, n.claim_ids, n.chunk_ids, n.detail,
    encode(sha256(convert_to(n.text, 'UTF8')), 'hex')
from nuggets as n
join questions as q using (channel, question_id)
where n.channel = :channel
  and (:everything or (n.state = 'proposed' and q.state in ('kept', 'segregated')))
order by kind desc, item_id
