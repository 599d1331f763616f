select
    (select count(*) from videos where channel = :channel and state = 'active') as videos,
    (select count(*) from chunks join videos using (channel, video_id)
     where channel = :channel and state = 'active') as chunks,
    (select count(*) from claims where channel = :channel) as claims,
    (select count(*) from threads where channel = :channel) as threads,
    (select count(*) from quarantine where channel = :channel) as quarantine,
    (select count(*) from questions where channel = :channel) as questions,
    (select count(*) from questions where channel = :channel and state = 'kept') as kept,
    (select count(*) from nuggets join questions using (channel, question_id)
     where channel = :channel and questions.state in ('kept', 'segregated')) as nuggets,
    (select count(*) from runs where channel = :channel) as runs,
    (select count(*) from calibration_pairs where channel = :channel) as pairs,
    (select count(*) from people where channel = :channel) as people
