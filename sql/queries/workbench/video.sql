select
    video_id, title, kind, state, url, language, duration_seconds, track, date_conflict, published_source,
    (published_at at time zone 'UTC')::date as day
from videos
where channel = :channel
  and video_id = :video_id
