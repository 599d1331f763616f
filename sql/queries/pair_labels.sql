-- Every pair that a judge has a word on, with each person's last label (null: nobody yet).
select distinct on (pair_verdicts.judge_id, calibration_pairs.pair_id, labels.person)
       pair_verdicts.judge_id,
       calibration_pairs.pair_id,
       calibration_pairs.purpose,
       calibration_pairs.tier,
       calibration_pairs.question_id,
       calibration_pairs.weight,
       calibration_pairs.negative_control,
       calibration_pairs.claim,
       calibration_pairs.verdict_id = pair_verdicts.verdict_id as drawn_by,
       verdicts.label as judge,
       verdicts.reason as judge_reason,
       verdicts.unscored,
       labels.person,
       labels.label,
       labels.reason
from calibration_pairs
join pair_verdicts using (pair_id)
join verdicts on verdicts.verdict_id = pair_verdicts.verdict_id
left join labels on labels.pair_id = calibration_pairs.pair_id
where calibration_pairs.channel = :channel
order by pair_verdicts.judge_id, calibration_pairs.pair_id, labels.person, labels.label_id desc
