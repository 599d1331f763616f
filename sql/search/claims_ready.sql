-- Of the active videos with chunks in the index: how many there are, how many have had their claims extracted, and how
-- many have claims without vectors of a model.
select
    count(*) as videos,
    count(*) filter (where exists (
        select from claim_numbers
        where claim_numbers.channel = :channel and claim_numbers.video_id = videos.video_id
    )) as extracted,
    count(*) filter (where
        exists (select from claims where claims.channel = :channel and claims.video_id = videos.video_id)
        and not exists (
            select from embeddings
            where embeddings.channel = :channel
                and embeddings.kind = 'claim'
                and embeddings.video_id = videos.video_id
                and embeddings.model = :model
        )
    ) as unindexed
from videos
where videos.channel = :channel
    and videos.state = 'active'
    and exists (
        select from unit_lengths
        where unit_lengths.channel = :channel
            and unit_lengths.kind = 'chunk'
            and unit_lengths.video_id = videos.video_id
    );
