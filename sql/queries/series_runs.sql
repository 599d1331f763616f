-- The runs of each re-evaluation, arm and scope, with what their metrics came to; null where they are not scored yet.
-- An arm that was configured anew since is not there: its runs are another's now, and its points stay as they were.
select e.gold_version, e.number, e.repetitions, arm.name as arm, scope.name as scope, r.run_key, m.output_hash
from reevaluations e
cross join lateral jsonb_each_text(e.arms) as arm (name, hash)
cross join lateral jsonb_each_text(e.corpora) as scope (name, corpus_id)
join runs r
  on r.channel = e.channel and r.gold_version = e.gold_version and r.arm = arm.name and r.arm_hash = arm.hash
 and r.corpus_id = scope.corpus_id and r.epoch = e.epoch and r.repetition <= e.repetitions
left join stage_run m on m.stage = 'metrics' and m.key = r.run_key and m.state = 'done'
where e.channel = :channel
order by e.gold_version, e.number, arm.name, scope.name, r.run_key
