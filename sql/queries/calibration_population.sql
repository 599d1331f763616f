-- What calibration pairs are drawn from: each scored pair of one judge, with how many items of runs it speaks for.
-- Whether two events are one is asked for pools, not for runs: there the person is that of a coded event.
with tiers as (
    select gold_versions.gold_version,
           question ->> 'question_id' as question_id,
           question ->> 'tier' as tier
    from gold_versions, jsonb_array_elements(gold_versions.content -> 'questions') as question
    where gold_versions.channel = :channel
),
asked_for as (
    select run_verdicts.verdict_id,
           run_verdicts.purpose,
           min(tiers.tier) as tier,
           min(run_verdicts.question_id) as question_id,
           count(*) as items
    from run_verdicts
    join runs using (run_key)
    join tiers on tiers.gold_version = runs.gold_version and tiers.question_id = run_verdicts.question_id
    join verdicts using (verdict_id, purpose)
    where runs.channel = :channel
      and not verdicts.by_rule
    group by run_verdicts.verdict_id, run_verdicts.purpose
    union all
    select same_events.verdict_id, 'same_event', 'biography', min(coded_events.question_id), 1
    from same_events
    join coded_events on coded_events.content_hash in (same_events.first_hash, same_events.second_hash)
    join runs on runs.run_key = coded_events.run_key
    where runs.channel = :channel
    group by same_events.verdict_id
)
select verdicts.verdict_id,
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
       asked_for.tier,
       asked_for.question_id,
       asked_for.items
from asked_for
join verdicts using (verdict_id, purpose)
where verdicts.judge_id = :judge_id
  and verdicts.label is not null
  and verdicts.purpose = any(:purposes)
order by verdicts.verdict_id
