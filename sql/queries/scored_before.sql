-- Where a series begins: the newest corpus over which some arms were scored on a gold version, with the runs there.
with scored as (
    select r.arm, r.arm_hash, r.corpus_id, r.repetition, k.number
    from runs r
    join corpora k on k.channel = r.channel and k.corpus_id = r.corpus_id
    join stage_run m on m.stage = 'metrics' and m.key = r.run_key and m.state = 'done'
    where r.channel = :channel and r.gold_version = :gold_version and r.epoch = :epoch and r.arm = any(:arms)
)
select arm, arm_hash, corpus_id, count(*) as repetitions
from scored
where number = (select max(number) from scored)
group by arm, arm_hash, corpus_id
order by arm
