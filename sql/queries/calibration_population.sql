-- What calibration pairs are drawn from: each scored pair of one judge, with how many items of runs it speaks for.
-- Whether two events are one is asked for pools, not for runs: there the person is that of a coded event.
with tiers as (
    select gold_versions.gold_version,
           question ->> 'question_id' as question_id,
           question ->> 'tier' as tier
    from gold_versions, jsonb_array_elements(gold_versions.content -> 'questions') as question
    where gold_versions.channel = :channel
)
(select verdicts.verdict_id,
       verdicts.purpose,
       verdicts.label,
       verdicts.claim,
       verdicts.claim_kind,
       verdicts.claim_window,
       verdicts.window_from,
       verdicts.window_to,
       verdicts.question,
       verdicts.text_kind,
       verdicts.text_sha256,
       verdicts.language,
       min(tiers.tier) as tier,
       min(run_verdicts.question_id) as question_id,
       count(*) as items
from run_verdicts
join runs using (run_key)
join verdicts using (verdict_id, purpose)
join tiers on tiers.gold_version = runs.gold_version and tiers.question_id = run_verdicts.question_id
where runs.channel = :channel
  and verdicts.judge_id = :judge_id
  and verdicts.label is not null
  and not verdicts.by_rule
  and verdicts.purpose = any(:purposes)
group by verdicts.verdict_id)
union all
(select verdicts.verdict_id,
       verdicts.purpose,
       verdicts.label,
       verdicts.claim,
       verdicts.claim_kind,
       verdicts.claim_window,
       verdicts.window_from,
       verdicts.window_to,
       verdicts.question,
       verdicts.text_kind,
       verdicts.text_sha256,
       verdicts.language,
       'biography' as tier,
       min(coded_events.question_id) as question_id,
       1 as items
from same_events
join verdicts using (verdict_id)
join coded_events on coded_events.content_hash in (same_events.first_hash, same_events.second_hash)
join runs on runs.run_key = coded_events.run_key
where runs.channel = :channel
  and verdicts.judge_id = :judge_id
  and verdicts.label is not null
  and verdicts.purpose = any(:purposes)
group by verdicts.verdict_id)
order by verdict_id
