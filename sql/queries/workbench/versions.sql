-- Gold versions, newest first, with how much each holds.
select
    gold_version, as_of, policy, frozen_at, content -> 'reviewers' as reviewers,
    jsonb_array_length(content -> 'questions') as questions,
    (select coalesce(sum(jsonb_array_length(question -> 'nuggets')), 0)
     from jsonb_array_elements(content -> 'questions') as question) as nuggets
from gold_versions
where channel = :channel
order by frozen_at desc, gold_version desc
