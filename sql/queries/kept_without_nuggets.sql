-- Kept questions that cannot be frozen: every nugget is cut, or the question gives them all away.
select q.question_id, coalesce(q.detail ->> 'given_away' = 'true', false) as given_away
from questions as q
where q.channel = :channel
  and q.state = 'kept'
  and (
    q.detail ->> 'given_away' = 'true'
    or not exists (
      select 1
      from nuggets as n
      where n.channel = q.channel and n.question_id = q.question_id and n.state = 'kept'
    )
  )
order by q.question_id
