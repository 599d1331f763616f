-- The series of a channel on a gold version, in order, with the day on which each re-evaluation was declared.
select s.number, s.arm, s.scope, s.content, (e.declared_at at time zone 'UTC')::date as declared
from series s
join reevaluations e using (channel, gold_version, number)
where s.channel = :channel and s.gold_version = :gold_version
order by s.number, s.arm, s.scope
