-- The pairs that a judge and people labelled: one label of people each, nobody unsure, no negative control.
with last as (
    select distinct on (pair_id, person) pair_id, person, label
    from labels
    order by pair_id, person, label_id desc
),
people as (
    select pair_id, min(label) as person
    from last
    group by pair_id
    having min(label) = max(label) and min(label) <> 'unsure'
)
select p.purpose, p.language, verdicts.label as judge, people.person, p.question_id, p.weight
from calibration_pairs p
join people using (pair_id)
join pair_verdicts using (pair_id)
join verdicts on verdicts.verdict_id = pair_verdicts.verdict_id
where p.channel = :channel
  and pair_verdicts.judge_id = :judge_id
  and p.purpose = any(:purposes)
  and not p.negative_control
  and verdicts.label is not null
order by p.pair_id
