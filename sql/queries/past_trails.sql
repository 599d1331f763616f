-- What the questions of an arm took, as it is configured now: whoever paid, and what the ledger charged to the run.
-- The fingerprint says whether a trail is of the arm as the run has it.
select t.question, r.corpus_id, r.repetition, r.epoch, t.fingerprint, t.cost_usd as took,
       coalesce((select sum(c.cost_usd)
                 from model_calls c
                 where c.run_key = t.run_key
                   and c.stage = 'agent_runs'
                   and c.unit_key = t.run_key || '/' || t.question_id), 0) as paid
from trails t
join runs r using (run_key)
where r.channel = :channel and r.arm = :arm and r.arm_hash = :arm_hash
  and t.adopted_from is null and t.cost_usd is not null
