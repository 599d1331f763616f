select question_id as item_id, text, detail
from questions
where channel = :channel
  and state = 'proposed'
order by question_id
