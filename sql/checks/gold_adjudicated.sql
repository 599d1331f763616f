-- Gold that was imported from a file is not among the proposals, and says so itself.
with frozen as (
    select g.gold_version, question ->> 'question_id' as question_id, 'question' as kind,
           question ->> 'question_id' as item_id
    from gold_versions g, jsonb_array_elements(g.content -> 'questions') as question
    where g.channel = :channel and g.policy = 'people'
    union all
    select g.gold_version, question ->> 'question_id', 'nugget',
           (question ->> 'question_id') || '/' || (nugget ->> 'nugget_id')
    from gold_versions g, jsonb_array_elements(g.content -> 'questions') as question,
         jsonb_array_elements(question -> 'nuggets') as nugget
    where g.channel = :channel and g.policy = 'people'
)
select :channel || '/' || f.gold_version || '/' || f.item_id as unit, 'was decided by no person' as problem
from frozen f
where exists (select from questions q where q.channel = :channel and q.question_id = f.question_id)
  and not exists (
    select from adjudications a
    where a.channel = :channel and a.item_kind = f.kind and a.item_id = f.item_id and a.reviewer <> 'policy auto')
order by 1
