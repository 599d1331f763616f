-- Three chunks of a video.
select chunk_id || ': ' || left(spoken_text, 240)
from chunks
where channel = :channel and video_id = :video_id and spoken_text <> ''
order by md5(chunk_id)
limit 3
