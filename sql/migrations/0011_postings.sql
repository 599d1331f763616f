-- Postings by number: most of the index is made of them (docs/scale.md), and names made each more than twice as large.
-- Everything is carried over; nothing is computed again.

-- The number of a term: the first 8 bytes of a hash, so that no list of all terms must be kept and asked. It holds the
-- channel and the kind, so that a posting needs neither. Among 20 million terms two share a number with a chance of 1 in
-- 90,000; then each would find the other's units. Not `immutable`: only so is it inlined, and six times as fast.
create function term_key(channel text, kind text, term text) returns bigint
language sql stable parallel safe as $$
    select cast(
        cast('x' || encode(substr(sha256(convert_to(channel || e'\n' || kind || e'\n' || term, 'UTF8')), 1, 8), 'hex')
            as bit(64)) as bigint)
$$;

-- Of 2 billion numbers, a video of 50 units takes 50 whenever it is indexed.
alter table unit_lengths add column unit integer generated always as identity;
alter table unit_lengths add constraint unit_lengths_unit unique (unit);

alter table postings rename to postings_by_name;
create table postings (
    term      bigint not null,   -- term_key
    unit      integer not null,  -- of unit_lengths
    frequency integer not null
);
insert into postings (term, unit, frequency)
select term_key(named.channel, named.kind, named.term), unit_lengths.unit, named.frequency
from postings_by_name as named
join unit_lengths
    on unit_lengths.channel = named.channel
    and unit_lengths.kind = named.kind
    and unit_lengths.unit_id = named.unit_id
order by 1, 2;
drop table postings_by_name;
alter table postings add primary key (term, unit) include (frequency);  -- a search reads nothing but this index
create index postings_unit on postings (unit);

-- Which videos' units are in the counts; the others are taken in by the next pass over the stage `term_stats`.
create table counted_videos (
    channel  text not null,
    kind     text not null check (kind in ('chunk', 'claim')),
    video_id text not null,
    primary key (channel, kind, video_id)
);
insert into counted_videos (channel, kind, video_id)
select distinct unit_lengths.channel, unit_lengths.kind, unit_lengths.video_id
from unit_lengths
join videos on videos.channel = unit_lengths.channel and videos.video_id = unit_lengths.video_id
join corpus_stats on corpus_stats.channel = unit_lengths.channel and corpus_stats.kind = unit_lengths.kind
where videos.state = 'active';

-- In how many units of the counted videos a term occurs; kept by difference.
drop table term_stats;
create table term_stats (
    term  bigint primary key,
    units integer not null check (units > 0)
);
insert into term_stats (term, units)
select postings.term, count(*)
from postings
join unit_lengths on unit_lengths.unit = postings.unit
join counted_videos
    on counted_videos.channel = unit_lengths.channel
    and counted_videos.kind = unit_lengths.kind
    and counted_videos.video_id = unit_lengths.video_id
group by postings.term
order by postings.term;
