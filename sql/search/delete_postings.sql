-- The postings of a video's units. The array keeps the planner from reading all postings, whatever it expects.
delete from postings
where unit = any(array(
    select unit from unit_lengths where channel = :channel and kind = :kind and video_id = :video_id
));
