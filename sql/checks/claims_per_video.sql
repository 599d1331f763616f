-- Claims for each spoken chunk, held against the channel's own quartiles.
with counted as (
    select v.video_id,
           (select count(*) from claims c where c.channel = v.channel and c.video_id = v.video_id) as claims,
           (select count(*) from chunks k
            where k.channel = v.channel and k.video_id = v.video_id and k.spoken_text <> '') as chunks
    from videos v
    where v.channel = :channel and v.state = 'active'
      and (exists (select from claims c where c.channel = v.channel and c.video_id = v.video_id) or (
        -- no claim at all tells something only once all videos were read
        select count(*) >= (select count(*) from videos w where w.channel = :channel and w.state = 'active')
        from stage_run s where s.stage = 'claims' and s.channel = :channel and s.state = 'done'))
),
rates as (select video_id, claims, chunks, cast(claims as float) / chunks as rate from counted where chunks > 0),
band as (
    select percentile_cont(0.25) within group (order by rate) as q1,
           percentile_cont(0.75) within group (order by rate) as q3,
           count(*) as videos
    from rates
)
select :channel || '/' || video_id as unit,
       claims || ' claims for ' || chunks || ' chunks; the channel''s band is '
           || round(cast(greatest(0, q1 - 3 * (q3 - q1)) as numeric), 2) || ' to '
           || round(cast(q3 + 3 * (q3 - q1) as numeric), 2) || ' for each' as problem
from rates, band
where videos >= 8 and (rate > q3 + 3 * (q3 - q1) or rate < q1 - 3 * (q3 - q1))
order by 1
