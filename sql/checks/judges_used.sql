-- Who judged what in a channel's runs.
select v.judge_id, j.model, rv.purpose
from run_verdicts rv
join runs r using (run_key)
join verdicts v using (verdict_id)
join judges j using (judge_id)
where r.channel = :channel and not v.by_rule
group by v.judge_id, j.model, rv.purpose
order by v.judge_id, rv.purpose
