-- The runs of a channel that were asked a question, newest first.
select r.run_key, r.arm, r.gold_version
from runs as r
join trails as t using (run_key)
where r.channel = :channel
  and t.question_id = :question_id
order by r.made_at desc, r.run_key
