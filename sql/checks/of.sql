-- What the violations of a check are counted among; run_key null: all runs of the channel.
select case cast(:of as text)
    when 'files' then (
        select count(*) from (
            select file from caption_files where channel = :channel
            union select file from quarantine where channel = :channel) files)
    when 'videos' then (select count(*) from videos where channel = :channel and state = 'active')
    when 'chunks' then (select count(*) from chunks where channel = :channel)
    when 'spoken_chunks' then (select count(*) from chunks where channel = :channel and spoken_text <> '')
    when 'vectors' then (select count(*) from embeddings where channel = :channel and kind = 'chunk')
    when 'claims' then (select count(*) from claims where channel = :channel)
    when 'threads' then (select count(*) from threads where channel = :channel)
    when 'questions' then (select count(*) from questions where channel = :channel and state in ('proposed', 'kept'))
    when 'nuggets' then (select count(*) from nuggets where channel = :channel and state <> 'cut')
    when 'gold_versions' then (select count(*) from gold_versions where channel = :channel)
    when 'gold_items' then (
        select count(*) from gold_versions g, jsonb_array_elements(g.content -> 'questions') as question
        where g.channel = :channel)
    when 'trails' then (
        select count(*) from trails t join runs r using (run_key)
        where r.channel = :channel and (cast(:run_key as text) is null or r.run_key = :run_key))
    when 'run_units' then (
        select count(*) from stage_run s
        where s.channel = :channel and s.stage in ('agent_runs', 'assertions', 'verdicts')
          and (cast(:run_key as text) is null or starts_with(s.key, :run_key || '/')))
    when 'verdicts' then (
        select count(*) from run_verdicts v join runs r using (run_key)
        where r.channel = :channel and (cast(:run_key as text) is null or r.run_key = :run_key))
    when 'metrics' then (
        select count(*) from metrics m join runs r using (run_key)
        where r.channel = :channel and (cast(:run_key as text) is null or r.run_key = :run_key))
    when 'judges_by_purpose' then (
        select count(distinct (v.judge_id, rv.purpose)) from run_verdicts rv join runs r using (run_key)
        join verdicts v using (verdict_id) where r.channel = :channel and not v.by_rule)
    when 'points' then (select count(*) from series where channel = :channel)
end
