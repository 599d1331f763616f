-- Add the units of some videos to the count of each of their terms, or take them away: sign is 1 or -1.
merge into term_stats
using (
    select postings.term, cast(count(*) as integer) * cast(:sign as integer) as units
    from unit_lengths
    join postings on postings.unit = unit_lengths.unit
    where unit_lengths.channel = :channel
        and unit_lengths.kind = :kind
        and unit_lengths.video_id = any(cast(:video_ids as text[]))
    group by postings.term
    order by postings.term
) as changed on changed.term = term_stats.term
when matched and term_stats.units + changed.units = 0 then delete
when matched then update set units = term_stats.units + changed.units
when not matched then insert (term, units) values (changed.term, changed.units);
