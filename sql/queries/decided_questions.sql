-- Questions with a decision in the log: on themselves, or on one of their nuggets.
select distinct q.unit_key, q.question_id
from questions as q
join adjudications as a
  on a.channel = q.channel
 and (a.item_id = q.question_id or a.item_id like q.question_id || '/%')
where q.channel = :channel
