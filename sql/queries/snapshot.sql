-- The channel's snapshot as it is now, or its part up to a day. A known content keeps its number; a new one gets the next.
with video_hashes as (
    select v.video_id,
           v.published_at,
           count(*) as chunks,
           encode(sha256(convert_to(
               jsonb_build_array(v.video_id, v.title, extract(epoch from v.published_at))::text
               || string_agg(jsonb_build_array(c.chunk_id, c.text_sha256)::text, '' order by c.position),
               'UTF8')), 'hex') as content
    from videos v
    join chunks c using (channel, video_id)
    where v.channel = :channel
      and v.state = 'active'
      and (cast(:until as date) is null or v.published_at < cast(:until as date) + 1)
    group by v.channel, v.video_id
),
content as (
    select encode(sha256(convert_to(string_agg(content, ' ' order by video_id collate "C"), 'UTF8')), 'hex') as corpus_id,
           count(*) as videos,
           sum(chunks) as chunks,
           (max(published_at) at time zone 'UTC')::date as last_date
    from video_hashes
    having count(*) > 0
),
made as (
    insert into corpora (channel, corpus_id, number, videos, chunks, last_date)
    select :channel, corpus_id,
           (select coalesce(max(number), 0) + 1 from corpora where channel = :channel),
           videos, chunks, last_date
    from content
    on conflict (channel, corpus_id) do nothing
    returning corpus_id, number, videos, chunks, last_date
)
select corpus_id, number, videos, chunks, last_date from made
union all
select k.corpus_id, k.number, k.videos, k.chunks, k.last_date
from corpora k
join content using (corpus_id)
where k.channel = :channel
