-- A video is in the index when anything of it is; then each spoken chunk must be, with a vector and postings.
select c.channel || '/' || c.chunk_id as unit,
       case when u.unit_id is null then 'has no postings' else 'has no vector' end as problem
from chunks c
join videos v on v.channel = c.channel and v.video_id = c.video_id and v.state = 'active'
left join unit_lengths u on u.channel = c.channel and u.kind = 'chunk' and u.unit_id = c.chunk_id
where c.channel = :channel
  and c.spoken_text <> ''
  and (exists (select from embeddings e where e.channel = c.channel and e.video_id = c.video_id and e.kind = 'chunk')
    or exists (select from unit_lengths l
               where l.channel = c.channel and l.video_id = c.video_id and l.kind = 'chunk'))
  and (u.unit_id is null
    or not exists (select from embeddings e
                   where e.channel = c.channel and e.kind = 'chunk' and e.unit_id = c.chunk_id))
order by 1
