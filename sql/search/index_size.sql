-- How many units of active videos can be found by words, and how many of them by meaning.
select count(unit_lengths.unit_id) as units, count(embeddings.unit_id) as embedded
from videos
join unit_lengths on unit_lengths.channel = videos.channel and unit_lengths.video_id = videos.video_id
left join embeddings
    on embeddings.channel = unit_lengths.channel
    and embeddings.kind = unit_lengths.kind
    and embeddings.model = :model
    and embeddings.unit_id = unit_lengths.unit_id
where videos.channel = :channel and videos.state = 'active' and unit_lengths.kind = :kind;
