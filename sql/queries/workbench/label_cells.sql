-- How many pairs of each purpose and language there are, and how many of them a person has left.
select purpose, language, count(*) as pairs,
       count(*) filter (where not exists (
           select from labels where labels.pair_id = calibration_pairs.pair_id and labels.person = :person)) as left_over
from calibration_pairs
where channel = :channel
group by purpose, language
order by purpose, language
