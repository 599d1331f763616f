-- People's words in place of a judge's: by verdict, the one label that all who labelled the pair agree on.
with last as (
    select distinct on (pair_id, person) pair_id, person, label
    from labels
    order by pair_id, person, label_id desc
)
select v.verdict_id, min(last.label) as label
from calibration_pairs p
join last using (pair_id)
join pair_verdicts v using (pair_id)
where p.channel = :channel and v.judge_id = :judge_id and not p.negative_control
group by v.verdict_id
having min(last.label) = max(last.label) and min(last.label) <> 'unsure'
