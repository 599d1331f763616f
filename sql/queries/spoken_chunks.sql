-- What is said in a video, in order, without what speech recognition invented.
select chunk_id, spoken_text
from chunks
where channel = :channel
  and video_id = :video_id
  and not invented
order by position
