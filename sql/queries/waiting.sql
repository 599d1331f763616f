-- What waits for a person: undecided questions, undecided nuggets of kept questions, kept questions given away.
select
    (select count(*) from questions as q where q.channel = :channel and q.state = 'proposed') as questions,
    (select count(*)
     from nuggets as n
     join questions as q using (channel, question_id)
     where n.channel = :channel and n.state = 'proposed' and q.state in ('kept', 'segregated')) as nuggets,
    (select count(*)
     from questions as q
     where q.channel = :channel and q.state = 'kept' and q.detail ->> 'given_away' = 'true') as given_away
