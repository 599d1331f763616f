select
    v.video_id, v.title, v.kind, v.state, v.published_at::date as day, v.duration_seconds,
    (select count(*) from chunks as c where c.channel = v.channel and c.video_id = v.video_id) as chunks,
    (select count(*) from claims as k where k.channel = v.channel and k.video_id = v.video_id) as claims,
    count(*) over () as total
from videos as v
where v.channel = :channel
  and (:find = '' or strpos(lower(v.title), lower(:find)) > 0 or v.video_id = :find)
order by v.published_at desc, v.video_id
limit :page offset :offset
