-- How many chunks a channel's active videos have, and from when to when.
select count(*) as chunks, min(v.published_at)::date as first_date, max(v.published_at)::date as last_date
from chunks c
join videos v on v.channel = c.channel and v.video_id = c.video_id
where c.channel = :channel and v.state = 'active'
  and (cast(:until as date) is null or v.published_at < cast(:until as date) + 1)
