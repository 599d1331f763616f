-- The words of each video's cues as they were counted when it was read; `since`: only of videos made since then.
select s.key, cast(s.counts ->> 'words' as bigint) as words
from stage_run s
where s.stage = 'chunks'
  and s.channel = :channel
  and s.state = 'done'
  and (cast(:since as timestamptz) is null or s.finished_at >= :since)
  and s.counts ->> 'words' is not null
