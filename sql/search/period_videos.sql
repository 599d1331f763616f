-- How many active videos each period holds.
select number - 1 as period, count(videos.video_id) as videos
from unnest(cast(:since as timestamptz[]), cast(:until as timestamptz[]))
    with ordinality as period (since, until, number)
left join videos
    on videos.channel = :channel
    and videos.state = 'active'
    and videos.published_at >= period.since
    and videos.published_at < period.until
    and (cast(:video_ids as text[]) is null or videos.video_id = any(cast(:video_ids as text[])))
group by number
order by number;
