-- What the counts lack and what they hold too much: active videos that are indexed and not counted (sign 1), and
-- counted ones that are no longer active (sign -1). Claims are counted by each search: which are left out differs.
select 1 as sign, 'chunk' as kind, videos.video_id
from videos
where videos.channel = :channel
    and videos.state = 'active'
    and exists (
        select from unit_lengths
        where unit_lengths.channel = :channel
            and unit_lengths.kind = 'chunk'
            and unit_lengths.video_id = videos.video_id
    )
    and not exists (
        select from counted_videos
        where counted_videos.channel = :channel
            and counted_videos.kind = 'chunk'
            and counted_videos.video_id = videos.video_id
    )
union all
select -1, counted_videos.kind, counted_videos.video_id
from counted_videos
where counted_videos.channel = :channel
    and not exists (
        select from videos
        where videos.channel = :channel
            and videos.video_id = counted_videos.video_id
            and videos.state = 'active'
    )
order by 1, 2, 3;
