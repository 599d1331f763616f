-- Everything of a run that a judge was asked about.
select run_verdicts.question_id,
       run_verdicts.purpose,
       run_verdicts.item_id,
       verdicts.claim,
       verdicts.claim_kind,
       verdicts.claim_window,
       verdicts.window_from,
       verdicts.window_to,
       verdicts.question,
       verdicts.text_kind,
       verdicts.language,
       judged_texts.text
from run_verdicts
join verdicts using (verdict_id, purpose)
join judged_texts using (text_sha256)
where run_verdicts.run_key = :run_key and not verdicts.by_rule
order by run_verdicts.question_id, run_verdicts.purpose, run_verdicts.item_id
