-- What the board of a declared pool is made from: the pool by person, scores on the frozen base, people's labels.
select 'pools' as what, key, state, output_hash
from stage_run
where channel = :channel and stage = 'pools' and starts_with(key, :prefix)
union all
select 'metrics', key, state, output_hash
from stage_run
where channel = :channel and stage = 'metrics' and key = any(:runs)
union all
select 'labels', calibration_pairs.pair_id, labels.label, cast(max(labels.label_id) as text)
from calibration_pairs
join pair_verdicts using (pair_id)
join labels using (pair_id)
where calibration_pairs.channel = :channel and pair_verdicts.judge_id = :judge_id
group by calibration_pairs.pair_id, labels.label
order by what, key, state
