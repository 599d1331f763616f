update nuggets
set text = :text, state = :state
where channel = :channel
  and question_id = :question_id
  and nugget_id = :nugget_id
