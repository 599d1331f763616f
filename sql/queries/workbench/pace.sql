-- Median seconds from one decision to the next in this person's last hours of work; pauses are left out.
select percentile_cont(0.5) within group (order by seconds) as seconds
from (
    select extract(epoch from decided_at - lag(decided_at) over (order by adjudication_id)) as seconds
    from adjudications
    where channel = :channel
      and item_kind = :kind
      and reviewer = :person
      and decided_at > now() - interval '12 hours'
) as gaps
where seconds between 0.3 and 600
