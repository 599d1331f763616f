-- How a channel stands: videos by state, and what reading their captions brought.
with of_channel as (
    select coalesce((counts ->> 'words')::bigint, 0)          as words,
           coalesce((counts ->> 'date_conflicts')::bigint, 0) as date_conflicts,
           coalesce((counts ->> 'invented_chunks')::bigint, 0) as invented_chunks,
           coalesce((counts ->> 'marks')::bigint, 0)          as marks,
           state
    from stage_run
    where stage = 'chunks'
      and channel = :channel
),
states as (
    select count(*) filter (where state = 'active')      as active,
           count(*) filter (where state = 'retired')     as retired,
           count(*) filter (where state = 'quarantined') as quarantined
    from videos
    where channel = :channel
),
files as (
    select count(*)                                     as files,
           count(*) filter (where format is null)       as unreadable_files,
           coalesce(sum(cues_kept), 0)                  as cues_kept,
           coalesce(sum(cues_lost), 0)                  as cues_lost,
           count(*) filter (where encoding_guessed)     as guessed_encodings
    from caption_files
    where channel = :channel
)
select states.*,
       files.*,
       (select count(distinct q.video_id)
        from quarantine q
        where q.channel = :channel and q.found_in = 'reading'
          and not exists (select from videos v where v.channel = q.channel and v.video_id = q.video_id)
       ) as never_readable,
       (select coalesce(sum(words), 0) from of_channel where state = 'done')           as words,
       (select coalesce(sum(date_conflicts), 0) from of_channel where state = 'done')  as date_conflicts,
       (select coalesce(sum(invented_chunks), 0) from of_channel where state = 'done') as invented_chunks,
       (select coalesce(sum(marks), 0) from of_channel where state = 'done')           as marks,
       (select count(*) from chunks c join videos v using (channel, video_id)
        where c.channel = :channel and v.state = 'active')                             as chunks
from states, files
