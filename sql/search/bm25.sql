-- The best units of each query by BM25, ranked over all periods together and inside each; scored as Lucene and bm25s do:
-- sum over terms of ln(1 + (N - df + 0.5) / (df + 0.5)) * tf / (tf + k1 * (1 - b + b * length / average)).
-- periods: half-open [since, until), none overlapping another. depth, inside: how many units a query, and a query and
-- period. Claims (left_out: those that are never found) and a corpus that is cut after a day (corpus_until) are counted
-- anew (count_anew): words of what cannot be found weigh nothing.
-- Of a query with very many terms only the rarest `max_terms` count. Scores are rounded to nine places, so that
-- no order of summing can turn a tie.
with periods as (
    select number, since, until
    from unnest(cast(:since as timestamptz[]), cast(:until as timestamptz[]))
        with ordinality as period (since, until, number)
),
totals as materialized (
    select units, average_terms
    from corpus_stats
    where channel = :channel and kind = :kind and not :count_anew
    union all
    select count(*), avg(unit_lengths.terms)
    from unit_lengths
    join videos on videos.channel = unit_lengths.channel and videos.video_id = unit_lengths.video_id
    where unit_lengths.channel = :channel and unit_lengths.kind = :kind and videos.state = 'active'
        and (cast(:corpus_until as date) is null or videos.published_at < cast(:corpus_until as date) + 1)
        and (cast(:left_out as text[]) is null or unit_lengths.unit_id <> all(cast(:left_out as text[])))
    having :count_anew
),
known as materialized (
    select
        asked.query, asked.term, asked.key, asked.count,
        case when not :count_anew then coalesce(term_stats.units, 1) else (
            select greatest(count(*), 1)
            from postings
            join unit_lengths on unit_lengths.unit = postings.unit
            join videos on videos.channel = unit_lengths.channel and videos.video_id = unit_lengths.video_id
            where postings.term = asked.key and videos.state = 'active'
                and (cast(:corpus_until as date) is null or videos.published_at < cast(:corpus_until as date) + 1)
                and (cast(:left_out as text[]) is null or unit_lengths.unit_id <> all(cast(:left_out as text[])))
        ) end as df
    from (
        select query, term, count, term_key(:channel, :kind, term) as key
        from unnest(cast(:queries as integer[]), cast(:terms as text[]), cast(:counts as integer[]))
            as asked (query, term, count)
    ) as asked
    left join term_stats on term_stats.term = asked.key
),
rarest as (
    select query, key, count, df, row_number() over (partition by query order by df, term collate "C") as place
    from known
),
weights as materialized (
    select
        rarest.query, rarest.key,
        cast(
            rarest.count * ln(1 + (totals.units - rarest.df + 0.5) / (rarest.df + 0.5)) as double precision
        ) as weight
    from rarest
    cross join totals
    where rarest.place <= :max_terms
),
-- The large sides are read once each and hashed: left to itself, the planner expects a handful of rows and looks up
-- 40,000 postings one by one. `offset 0` keeps them apart as `materialized` would, and copies nothing.
inside as (
    select videos.video_id, periods.number as period
    from videos
    join periods on videos.published_at >= periods.since and videos.published_at < periods.until
    where videos.channel = :channel
        and videos.state = 'active'
        and (cast(:video_ids as text[]) is null or videos.video_id = any(cast(:video_ids as text[])))
    offset 0
),
units as (
    select unit, video_id, terms
    from unit_lengths
    where channel = :channel
        and kind = :kind
        and (cast(:left_out as text[]) is null or unit_id <> all(cast(:left_out as text[])))
    offset 0
),
said as (
    select weights.query, weights.weight, postings.unit, postings.frequency
    from weights
    join postings on postings.term = weights.key
    offset 0
),
matched as (
    select said.query, said.weight, said.unit, said.frequency, units.video_id, units.terms
    from said
    join units on units.unit = said.unit
    offset 0
),
scored as (
    select
        matched.query, matched.unit, min(inside.period) as period,  -- a unit has one: none overlaps another
        round(1e9 * sum(
            matched.weight * matched.frequency
            / (matched.frequency + :k1 * (1 - :b + :b * matched.terms / totals.average_terms))
        )) as score
    from matched
    join inside on inside.video_id = matched.video_id
    cross join totals
    group by matched.query, matched.unit
),
ranked as (
    select query, period, unit, score, rank() over (partition by query order by score desc) as rank
    from scored
),
-- What is better in its period is better over all: none is missing. Of a tie all are kept until names decide.
near as (
    select query, period, unit, score, rank, rank() over (partition by query, period order by score desc) as inside
    from ranked
    where rank <= :depth or :inside > 0
),
placed as (
    select
        near.query, near.period, named.unit_id, near.score,
        near.rank - 1 + row_number() over (
            partition by near.query, near.score order by named.unit_id collate "C"
        ) as rank,
        near.inside - 1 + row_number() over (
            partition by near.query, near.period, near.score order by named.unit_id collate "C"
        ) as inside
    from near
    cross join lateral (select unit_id from unit_lengths where unit = near.unit offset 0) as named  -- few: one by one
    where near.rank <= :depth or near.inside <= :inside
)
select
    query - 1 as query, period - 1 as period, unit_id, cast(score as double precision) / 1e9 as score, rank, inside
from placed
where rank <= :depth or inside <= :inside
order by placed.query, placed.period, placed.inside;
