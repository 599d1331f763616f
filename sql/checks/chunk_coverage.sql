select v.channel || '/' || v.video_id as unit, 'has no chunks' as problem
from videos v
where v.state = 'active'
  and not exists (select from chunks c where c.channel = v.channel and c.video_id = v.video_id)
union all
select channel || '/' || chunk_id, 'starts before the chunk at the position before it'
from (
    select channel, chunk_id, start_seconds,
           lag(start_seconds) over (partition by channel, video_id order by position) as before
    from chunks
) ordered
where before > start_seconds
union all
select channel || '/' || video_id, 'two chunks have the same position'
from chunks
group by channel, video_id, position
having count(*) > 1
order by 1
