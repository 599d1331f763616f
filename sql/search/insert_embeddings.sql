-- One vector a unit of a video.
insert into embeddings (channel, kind, model, video_id, unit_id, vector)
select :channel, :kind, :model, :video_id, unit_id, cast(vector as halfvec)
from unnest(cast(:unit_ids as text[]), cast(:vectors as text[])) as embedding (unit_id, vector);
