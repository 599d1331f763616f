-- The trails of one run with what they retrieved; a retrieved text without a date has no month.
select trails.question_id,
       trails.state,
       trails.steps,
       trails.searches,
       trails.prompt_tokens,
       trails.completion_tokens,
       trails.cost_usd,
       trails.reports_retrieval,
       trails.abstained,
       trails.error,
       (select count(*) from assertions
        where assertions.run_key = trails.run_key and assertions.question_id = trails.question_id) as assertions,
       retrieved.chunks,
       retrieved.videos,
       retrieved.months
from trails
cross join lateral (
    select count(*) as chunks,
           array_agg(distinct video_id) as videos,
           array_agg(distinct to_char(published_at at time zone 'UTC', 'YYYY-MM'))
               filter (where published_at is not null) as months
    from trail_chunks
    where trail_chunks.run_key = trails.run_key and trail_chunks.question_id = trails.question_id
) as retrieved
where trails.run_key = :run_key
order by trails.question_id
