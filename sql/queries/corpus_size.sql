-- How much text the chunks of a channel's active videos hold, in UTF-8 bytes.
select count(*) as chunks,
       coalesce(sum(octet_length(c.spoken_text)), 0)::bigint as texts,
       coalesce(max(octet_length(c.spoken_text)), 0) as longest_text,
       coalesce(max(octet_length(v.title) + octet_length(c.chunk_id)), 0) as longest_label
from chunks c
join videos v on v.channel = c.channel and v.video_id = c.video_id
where c.channel = :channel and v.state = 'active'
