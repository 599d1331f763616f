-- The words of every question of a channel, to find those that read alike.
select question_id, text, state
from questions
where channel = :channel
