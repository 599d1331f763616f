-- Three claims of a video.
select claim_id || ' (' || confidence || '): ' || left(text, 240)
from claims
where channel = :channel and video_id = :video_id
order by md5(claim_id)
limit 3
