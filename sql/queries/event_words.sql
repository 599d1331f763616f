-- What the judge said of one person's coded events in one run; the base's coverage is in base_coverage.
select run_verdicts.purpose, run_verdicts.item_id, run_verdicts.verdict_id, verdicts.label, verdicts.reason,
       verdicts.by_rule, verdicts.claim, judged_texts.text as judged
from run_verdicts
join verdicts using (verdict_id)
left join judged_texts using (text_sha256)
where run_verdicts.run_key = :run_key
  and run_verdicts.question_id = :question_id
  and not starts_with(run_verdicts.item_id, 'base:')
order by run_verdicts.purpose, run_verdicts.item_id
