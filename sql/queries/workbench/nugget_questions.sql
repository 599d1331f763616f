-- Kept and segregated questions with the state of their nuggets; :queue as in questions.sql.
with decided as (
    select distinct verdict.item_id
    from adjudications as verdict
    left join adjudications as undone on undone.undoes = verdict.adjudication_id
    where verdict.channel = :channel
      and verdict.item_kind = 'nugget'
      and verdict.reviewer = :person
      and verdict.decision in ('keep', 'cut')
      and undone.adjudication_id is null
),
counted as (
    select
        n.question_id,
        count(*) as nuggets,
        count(*) filter (where n.state = 'kept') as kept,
        count(*) filter (where n.state = 'proposed') as open,
        count(*) filter (where n.question_id || '/' || n.nugget_id not in (select item_id from decided)) as not_mine
    from nuggets as n
    where n.channel = :channel
    group by n.question_id
)
select
    q.question_id, q.tier, q.text, q.state, coalesce(c.nuggets, 0) as nuggets, coalesce(c.kept, 0) as kept,
    coalesce(c.open, 0) as open, coalesce(c.not_mine, 0) as not_mine, count(*) over () as total
from questions as q
left join counted as c using (question_id)
where q.channel = :channel
  and q.state in ('kept', 'segregated')
  and (:find = '' or strpos(lower(q.text), lower(:find)) > 0 or q.question_id = :find)
  and case :queue
          when 'waiting' then c.open > 0
          when 'mine' then c.not_mine > 0
          else true
      end
order by q.question_id <= :after, q.question_id
limit :page offset :offset
