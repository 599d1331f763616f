-- What each run took for each person, with the spread of what it kept.
select r.arm, t.question_id, t.state, t.searches, t.model_calls, t.prompt_tokens, t.completion_tokens, t.cost_usd,
       i.seconds,
       coalesce((t.detail ->> 'malformed_calls')::integer, 0) as malformed,
       count(distinct substring(coalesce(c.why ->> 'url', v.url) from '^[a-z]+://([^/]+)')) filter (where c.kept) as domains,
       count(distinct v.language) filter (where c.kept) as languages
from trails t
join runs r on r.run_key = t.run_key
left join timings i on i.run_key = t.run_key and i.question_id = t.question_id
left join trail_chunks c on c.run_key = t.run_key and c.question_id = t.question_id
left join videos v on v.channel = r.channel and v.video_id = c.video_id
where t.run_key = any(:runs)
group by r.arm, t.run_key, t.question_id, i.seconds
order by r.arm, t.run_key, t.question_id
