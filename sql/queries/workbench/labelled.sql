-- How far a person is with labelling, and what they labelled last.
select
    (select count(*) from calibration_pairs where channel = :channel) as pairs,
    (select count(distinct pair_id)
     from labels
     join calibration_pairs using (pair_id)
     where channel = :channel and person = :person) as labelled,
    (select pair_id
     from labels
     join calibration_pairs using (pair_id)
     where channel = :channel and person = :person
     order by label_id desc
     limit 1) as last_pair
