-- How many units of active videos there are, and how many terms one has on average.
insert into corpus_stats (channel, kind, units, average_terms)
select unit_lengths.channel, unit_lengths.kind, count(*), avg(unit_lengths.terms)
from unit_lengths
join videos on videos.channel = unit_lengths.channel and videos.video_id = unit_lengths.video_id
where unit_lengths.channel = :channel and videos.state = 'active'
group by unit_lengths.channel, unit_lengths.kind;
