-- In how many units of active videos each term occurs. A term of one unit is left out: most pairs of words are, and
-- what is missing here counts as 1.
insert into term_stats (channel, kind, term, units)
select postings.channel, postings.kind, postings.term, count(*)
from postings
join videos on videos.channel = postings.channel and videos.video_id = postings.video_id
where postings.channel = :channel and videos.state = 'active'
group by postings.channel, postings.kind, postings.term
having count(*) > 1;
