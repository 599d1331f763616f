select c.channel || '/' || c.claim_id as unit, 'cites ' || cited || ', which is no chunk of its video' as problem
from claims c
cross join unnest(c.chunk_ids) as cited
join videos v using (channel, video_id)
where c.channel = :channel
  and v.state = 'active'
  and not exists (
    select from chunks k where k.channel = c.channel and k.chunk_id = cited and k.video_id = c.video_id)
order by 1
