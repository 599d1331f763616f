select rv.run_key || ' ' || rv.purpose as unit,
       count(*) filter (where v.unscored is not null) || ' of ' || count(*) || ' verdicts are unscored' as problem
from run_verdicts rv
join runs r using (run_key)
join verdicts v using (verdict_id)
where r.channel = :channel and (cast(:run_key as text) is null or r.run_key = :run_key)
group by rv.run_key, rv.purpose
having count(*) filter (where v.unscored is not null) > :max_unscored_share * count(*)
order by 1
