-- A page of the questions of one queue, the easy ones first, and how many there are in all.
-- Queues: waiting (undecided), mine (this person has no standing verdict), review (kept, but its nuggets are all given
-- away), all.
with decided as (
    select distinct verdict.item_id
    from adjudications as verdict
    left join adjudications as undone on undone.undoes = verdict.adjudication_id
    where verdict.channel = :channel
      and verdict.item_kind = 'question'
      and verdict.reviewer = :person
      and verdict.decision in ('keep', 'cut', 'segregate')
      and undone.adjudication_id is null
)
select
    q.question_id, q.tier, q.text, q.state, q.detail -> 'warnings' as warnings, count(*) over () as total,
    q.question_id in (select item_id from decided) as mine
from questions as q
where q.channel = :channel
  and (:tier = '' or q.tier = :tier)
  and (:find = '' or strpos(lower(q.text), lower(:find)) > 0 or q.question_id = :find)
  and case :queue
          when 'waiting' then q.state = 'proposed'
          when 'mine' then q.question_id not in (select item_id from decided)
          when 'review' then q.state = 'kept' and q.detail ->> 'given_away' = 'true'
          else true
      end
order by q.tier, jsonb_array_length(coalesce(q.detail -> 'warnings', '[]')), q.question_id
limit :page offset :offset
