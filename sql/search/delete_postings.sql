-- The postings of a video's units.
delete from postings
using unit_lengths
where unit_lengths.channel = :channel
    and unit_lengths.kind = :kind
    and unit_lengths.video_id = :video_id
    and postings.unit = unit_lengths.unit;
