-- How many units the counted videos have, and how many terms one has on average.
insert into corpus_stats (channel, kind, units, average_terms)
select unit_lengths.channel, unit_lengths.kind, count(*), avg(unit_lengths.terms)
from counted_videos
join unit_lengths
    on unit_lengths.channel = counted_videos.channel
    and unit_lengths.kind = counted_videos.kind
    and unit_lengths.video_id = counted_videos.video_id
where counted_videos.channel = :channel
group by unit_lengths.channel, unit_lengths.kind;
