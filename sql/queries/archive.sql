-- What a run kept for one person, in the order in which it was kept, with the language of each document of the corpus.
select c.chunk_id, c.video_id, c.title, v.language, t.text
from trail_chunks c
join trails on trails.run_key = c.run_key and trails.question_id = c.question_id
join runs on runs.run_key = c.run_key
join chunk_texts t on t.channel = runs.channel and t.chunk_id = c.chunk_id and t.text_sha256 = c.text_sha256
left join videos v on v.channel = runs.channel and v.video_id = c.video_id
where c.run_key = :run_key and c.question_id = :question_id and c.kept
order by c.first_step, c.rank, c.chunk_id
