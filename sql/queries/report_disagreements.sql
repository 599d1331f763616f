-- Labelled pairs on which a person and the judge differ, with both reasons; each person's last word.
select purpose, tier, question_id, claim, judge, judge_reason, person, label, reason
from (
    select distinct on (calibration_pairs.pair_id, labels.person)
           calibration_pairs.purpose,
           calibration_pairs.tier,
           calibration_pairs.question_id,
           calibration_pairs.claim,
           verdicts.label as judge,
           coalesce(verdicts.reason, '') as judge_reason,
           labels.person,
           labels.label,
           coalesce(labels.reason, '') as reason
    from calibration_pairs
    join verdicts using (verdict_id)
    join labels using (pair_id)
    where calibration_pairs.channel = :channel
    order by calibration_pairs.pair_id, labels.person, labels.label_id desc
) as last_words
where label <> judge and label <> 'unsure'
order by purpose, tier, question_id, claim, person
