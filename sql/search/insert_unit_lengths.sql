-- How many terms each unit of a video has; gives each its number.
insert into unit_lengths (channel, kind, video_id, unit_id, terms)
select :channel, :kind, :video_id, unit_id, terms
from unnest(cast(:unit_ids as text[]), cast(:lengths as integer[])) as unit (unit_id, terms);
