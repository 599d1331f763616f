select claim_id, text
from claims
where channel = :channel
  and video_id = :video_id
order by claim_id
