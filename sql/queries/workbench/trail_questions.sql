-- The questions that a run was asked, with how many of its nuggets the answer states.
select
    t.question_id, t.question, t.state, t.abstained, t.searches, t.cost_usd, t.error,
    count(*) filter (where v.label = 'HIT') as hits,
    count(v.label) as judged
from trails as t
left join run_verdicts as r
    on r.run_key = t.run_key and r.question_id = t.question_id and r.purpose = 'recall'
left join verdicts as v using (verdict_id)
where t.run_key = :run_key
  and (:find = '' or strpos(lower(t.question), lower(:find)) > 0 or t.question_id = :find)
group by t.run_key, t.question_id
order by t.question_id
