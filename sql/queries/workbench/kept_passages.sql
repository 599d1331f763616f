-- What runs kept of one person, each passage once, with where it is from.
select distinct on (c.chunk_id)
       c.chunk_id, c.title, coalesce(v.language, '') as language, coalesce(c.why ->> 'url', v.url) as url,
       t.text
from trail_chunks c
join runs on runs.run_key = c.run_key
join chunk_texts t on t.channel = runs.channel and t.chunk_id = c.chunk_id and t.text_sha256 = c.text_sha256
left join videos v on v.channel = runs.channel and v.video_id = c.video_id
where c.run_key = any(:run_keys) and c.question_id = :question_id and c.kept
order by c.chunk_id, c.run_key
