-- A finished trail that was made from the same question, arm, corpus and repetition; the work's own run first.
select t.run_key, t.question_id
from trails t
join runs r using (run_key)
where r.channel = :channel and t.fingerprint = :fingerprint and t.state = 'done' and t.run_key <> :not_in
order by t.adopted_from is not null, r.made_at, t.run_key, t.question_id
limit 1
