-- The judges whose verdicts speak for a run.
select judge_id, model, family, mode, prompt_hash
from judges
where judge_id in (
    select verdicts.judge_id
    from run_verdicts
    join verdicts using (verdict_id)
    where run_verdicts.run_key = :run_key
)
order by judge_id
