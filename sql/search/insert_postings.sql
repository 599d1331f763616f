-- How often each unit of a video says each term. In the order of the index, which takes them in faster.
insert into postings (term, unit, frequency)
select term_key(:channel, :kind, posting.term), unit_lengths.unit, posting.frequency
from unnest(cast(:terms as text[]), cast(:unit_ids as text[]), cast(:frequencies as integer[]))
    as posting (term, unit_id, frequency)
join unit_lengths
    on unit_lengths.channel = :channel
    and unit_lengths.kind = :kind
    and unit_lengths.unit_id = posting.unit_id
order by 1, 2;
