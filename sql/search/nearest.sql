-- The nearest units of one query in one window, by exact scan. What dense.sql gives, but the planner knows the window's
-- bounds: a wide one is scanned by several processes at once, a narrow one is read video by video.
select
    0 as query, 0 as period, unit_id, 1 - distance as score,
    row_number() over (order by distance, unit_id collate "C") as rank,
    row_number() over (order by distance, unit_id collate "C") as inside
from (
    select embeddings.unit_id, embeddings.vector <=> cast(:vector as halfvec) as distance
    from embeddings
    join videos on videos.channel = embeddings.channel and videos.video_id = embeddings.video_id
    where embeddings.channel = :channel
        and embeddings.kind = :kind
        and embeddings.model = :model
        and videos.state = 'active'
        and videos.published_at >= cast(:opens as timestamptz)
        and videos.published_at < cast(:closes as timestamptz)
        and (cast(:video_ids as text[]) is null or embeddings.video_id = any(cast(:video_ids as text[])))
        and (cast(:left_out as text[]) is null or embeddings.unit_id <> all(cast(:left_out as text[])))
    order by distance, embeddings.unit_id collate "C"
    limit greatest(:depth, :inside)
) as nearest
order by rank;
