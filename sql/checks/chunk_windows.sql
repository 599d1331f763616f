select v.channel || '/' || v.video_id as unit, 'has no chunks' as problem
from videos v
where v.channel = :channel
  and v.state = 'active'
  and not exists (select from chunks c where c.channel = v.channel and c.video_id = v.video_id)
union all
select channel || '/' || chunk_id,
       case when position = place_before then 'has the position of another chunk'
            when start_seconds < start_before then 'starts before the chunk at the position before it'
            else 'ends before it starts' end
from (
    select channel, chunk_id, position, start_seconds, end_seconds,
           lag(start_seconds) over in_order as start_before, lag(position) over in_order as place_before
    from chunks
    where channel = :channel
    window in_order as (partition by channel, video_id order by position, chunk_id)
) ordered
where position = place_before or start_seconds < start_before or end_seconds < start_seconds
order by 1
