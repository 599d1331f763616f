-- The chunks of a video that say something.
select chunk_id, spoken_text
from chunks
where channel = :channel and video_id = :video_id and spoken_text <> ''
order by position;
