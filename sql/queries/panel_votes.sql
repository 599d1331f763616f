-- What the members of a panel said of each pair that the panel judged in a channel's runs.
select distinct on (whole.verdict_id, member.judge_id)
       whole.verdict_id as pair,
       member.judge_id,
       member.label
from verdicts as whole
join verdicts as member
  on member.purpose = whole.purpose
 and member.claim = whole.claim
 and member.claim_kind = whole.claim_kind
 and member.claim_window is not distinct from whole.claim_window
 and member.question is not distinct from whole.question
 and member.text_sha256 = whole.text_sha256
where whole.judge_id = :panel
  and member.judge_id = any(:members)
  and whole.verdict_id in (
      select run_verdicts.verdict_id from run_verdicts join runs using (run_key) where runs.channel = :channel)
order by whole.verdict_id, member.judge_id, member.label nulls last
