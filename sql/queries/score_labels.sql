-- Judged pairs that people labelled; each person's last word.
select distinct on (calibration_pairs.pair_id, labels.person)
       calibration_pairs.pair_id,
       calibration_pairs.purpose,
       calibration_pairs.tier,
       calibration_pairs.question_id,
       calibration_pairs.weight,
       calibration_pairs.design,
       verdicts.judge_id,
       verdicts.label as judge,
       labels.person,
       labels.label
from calibration_pairs
join verdicts using (verdict_id)
join labels using (pair_id)
where calibration_pairs.channel = :channel
  and not calibration_pairs.negative_control
order by calibration_pairs.pair_id, labels.person, labels.label_id desc
