update nuggets
set window_text = :window, window_from = :start, window_to = :end
where channel = :channel
  and question_id = :question_id
  and nugget_id = :nugget_id
