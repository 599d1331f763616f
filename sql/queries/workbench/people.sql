-- A channel's people with the events of the pool that is declared now.
with newest as (
    select pools.pool_id
    from pools
    join declared_pools using (channel)
    where pools.channel = :channel
      and pools.base_version = declared_pools.gold_version
      and pools.run_keys = declared_pools.run_keys
    order by pools.made_at desc
    limit 1
)
select people.person_id, people.name, people.names, people.country, people.region, people.office,
       people.reference is not null as has_reference,
       count(e.ordinal) filter (where e.origin = 'base' and not e.covered) as base,
       count(e.ordinal) filter (where e.origin = 'pooled' and not e.covered) as pooled,
       count(e.ordinal) filter (where e.covered) as covered
from people
left join pool_events e on e.question_id = people.person_id and e.pool_id in (select pool_id from newest)
where people.channel = :channel
group by people.channel, people.person_id
order by people.person_id
