-- The white-space separated words of some videos' chunks, counted anew.
select c.video_id, sum((select count(*) from regexp_split_to_table(t.text, '\s+') as word where word <> '')) as words
from chunks c
join chunk_texts t using (channel, chunk_id, text_sha256)
where c.channel = :channel and c.video_id = any(:video_ids)
group by c.video_id
