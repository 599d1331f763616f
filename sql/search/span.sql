-- First and last day of the active videos, or of those up to the day that the corpus is cut after.
select
    cast(min(published_at at time zone 'UTC') as date) as first_day,
    cast(max(published_at at time zone 'UTC') as date) as last_day
from videos
where channel = :channel and state = 'active'
    and (cast(:corpus_until as date) is null or published_at < cast(:corpus_until as date) + 1)
    and (cast(:video_ids as text[]) is null or video_id = any(cast(:video_ids as text[])));
