-- Whether active videos have units and the statistics that BM25 needs are there, and whether each of these videos has
-- vectors of a model. A video's rows are written together, so one look at a video tells of all its units.
with indexed as (
    select videos.video_id
    from videos
    where videos.channel = :channel
        and videos.state = 'active'
        and exists (
            select from unit_lengths
            where unit_lengths.channel = :channel
                and unit_lengths.kind = :kind
                and unit_lengths.video_id = videos.video_id
        )
)
select
    exists (select from indexed)
        and exists (select from corpus_stats where channel = :channel and kind = :kind) as counted,
    not exists (
        select from indexed
        where not exists (
            select from embeddings
            where embeddings.channel = :channel
                and embeddings.kind = :kind
                and embeddings.video_id = indexed.video_id
                and embeddings.model = :model
        )
    ) as embedded;
