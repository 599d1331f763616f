-- How often each unit of a video says each term. terms: those of a unit in one string, a line each, as often as they
-- are said; no term holds a line break. In the order of the index, which takes them in faster.
insert into postings (term, unit, frequency)
select term_key(:channel, :kind, line.term) as term, unit_lengths.unit, count(*)
from unnest(cast(:unit_ids as text[]), cast(:terms as text[])) as said (unit_id, terms)
cross join string_to_table(said.terms, e'\n') as line (term)
join unit_lengths
    on unit_lengths.channel = :channel
    and unit_lengths.kind = :kind
    and unit_lengths.unit_id = said.unit_id
where line.term <> ''
group by 1, 2
order by 1, 2;
