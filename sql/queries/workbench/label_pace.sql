-- Median seconds from one label to the next in this person's last hours of work; pauses are left out.
select percentile_cont(0.5) within group (order by seconds) as seconds
from (
    select extract(epoch from labels.labelled_at - lag(labels.labelled_at) over (order by labels.label_id)) as seconds
    from labels
    join calibration_pairs using (pair_id)
    where calibration_pairs.channel = :channel
      and labels.person = :person
      and labels.labelled_at > now() - interval '12 hours'
) as gaps
where seconds between 0.3 and 600
