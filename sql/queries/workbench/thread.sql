select thread_id, topic, claim_ids, videos, first_date, last_date
from threads
where channel = :channel
  and thread_id = :thread_id
