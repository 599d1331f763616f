-- Nuggets of a question that a person wrote or decided on.
select n.nugget_id
from nuggets as n
where n.channel = :channel
  and n.question_id = :question_id
  and (
    n.detail ? 'added_by'
    or exists (
      select 1
      from adjudications as a
      where a.channel = n.channel
        and a.item_kind = 'nugget'
        and a.item_id = n.question_id || '/' || n.nugget_id
    )
  )
