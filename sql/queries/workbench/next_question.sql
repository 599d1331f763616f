-- The question that follows one in its queue (see questions.sql), the first one after the last, and how many are left.
with decided as (
    select distinct verdict.item_id
    from adjudications as verdict
    left join adjudications as undone on undone.undoes = verdict.adjudication_id
    where verdict.channel = :channel
      and verdict.item_kind = 'question'
      and verdict.reviewer = :person
      and verdict.decision in ('keep', 'cut', 'segregate')
      and undone.adjudication_id is null
),
placed as (
    select
        question_id, state, detail,
        (tier, jsonb_array_length(coalesce(detail -> 'warnings', '[]')), question_id) as place
    from questions
    where channel = :channel
),
here as materialized (
    select place from placed where question_id = :question_id
)
select p.question_id, count(*) over () as others
from placed as p
left join here on true
where p.question_id <> :question_id
  and case :queue
          when 'waiting' then p.state = 'proposed'
          when 'mine' then p.question_id not in (select item_id from decided)
          when 'review' then p.state = 'kept' and p.detail ->> 'given_away' = 'true'
          else true
      end
order by coalesce(p.place <= here.place, false), p.place
limit 1
