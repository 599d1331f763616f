-- The word of each arm's newest point on the newest gold that has a series.
with points as (
    select s.key, split_part(s.key, '/', 2) as gold_version, split_part(s.key, '/', 3) as number,
           split_part(s.key, '/', 4) as arm
    from stage_run s
    where s.stage = 'series' and s.channel = :channel and s.state = 'done'
),
newest as (
    select distinct on (p.arm) p.key
    from points p
    join reevaluations e
      on e.channel = :channel and e.gold_version = p.gold_version and e.number = cast(p.number as integer)
    order by p.arm, e.declared_at desc, p.number desc
)
select g.key as unit, g.description as problem
from gates g
join newest using (key)
where g.stage = 'series' and g.gate = 'regression' and not g.passed
order by 1
