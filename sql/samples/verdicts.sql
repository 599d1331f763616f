-- Three verdicts of a run.
select rv.purpose || ' ' || coalesce(v.label, 'unscored') || ': ' || left(v.claim, 200)
       || coalesce(' -- ' || left(v.reason, 200), '')
from run_verdicts rv
join verdicts v using (verdict_id)
where rv.run_key = :run_key
order by md5(rv.question_id || rv.purpose || rv.item_id)
limit 3
