-- What a run retrieved, in the order of its searches, with the texts as they were then.
select c.*, x.text
from trail_chunks c
join runs r using (run_key)
join chunk_texts x on x.channel = r.channel and x.chunk_id = c.chunk_id and x.text_sha256 = c.text_sha256
where c.run_key = :run_key and (cast(:question_id as text) is null or c.question_id = :question_id)
order by c.question_id, c.first_step, c.rank, c.chunk_id
