-- The nearest units of each query by exact scan, ranked over all periods together and inside each. An HNSW index would
-- silently return too few rows once a date window filters them (docs/retrieval.md).
-- periods: half-open [since, until), none overlapping another. depth, inside: how many units a query, and a query and
-- period. One pass serves both: the nearest over all periods are among the nearest of each. Vectors have length 1.
with queries as materialized (
    select number, cast(vector as halfvec) as vector
    from unnest(cast(:vectors as text[])) with ordinality as query (vector, number)
),
periods as (
    select number, since, until
    from unnest(cast(:since as timestamptz[]), cast(:until as timestamptz[]))
        with ordinality as period (since, until, number)
),
ranked as (
    select
        queries.number as query, periods.number as period, nearest.unit_id, nearest.distance,
        row_number() over (
            partition by queries.number order by nearest.distance, nearest.unit_id collate "C"
        ) as rank,
        nearest.inside
    from queries
    cross join periods
    cross join lateral (
        select few.unit_id, few.distance, row_number() over (order by few.distance, few.unit_id collate "C") as inside
        from (
            select embeddings.unit_id, embeddings.vector <=> queries.vector as distance
            from embeddings
            join videos on videos.channel = embeddings.channel and videos.video_id = embeddings.video_id
            where embeddings.channel = :channel
                and embeddings.kind = :kind
                and embeddings.model = :model
                and videos.state = 'active'
                and videos.published_at >= periods.since
                and videos.published_at < periods.until
                and (cast(:video_ids as text[]) is null or embeddings.video_id = any(cast(:video_ids as text[])))
                and (cast(:left_out as text[]) is null or embeddings.unit_id <> all(cast(:left_out as text[])))
            order by distance, embeddings.unit_id collate "C"
            limit greatest(:depth, :inside)
        ) as few
    ) as nearest
)
select query - 1 as query, period - 1 as period, unit_id, 1 - distance as score, rank, inside
from ranked
where rank <= :depth or inside <= :inside
order by ranked.query, ranked.period, ranked.inside;
