-- How often each unit of a video says each term.
insert into postings (channel, kind, term, video_id, unit_id, frequency)
select :channel, :kind, term, :video_id, unit_id, frequency
from unnest(cast(:terms as text[]), cast(:unit_ids as text[]), cast(:frequencies as integer[]))
    as posting (term, unit_id, frequency);
