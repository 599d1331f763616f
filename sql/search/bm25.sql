-- The best units of each query in each period by BM25, as Lucene and bm25s compute it:
-- sum over terms of ln(1 + (N - df + 0.5) / (df + 0.5)) * tf / (tf + k1 * (1 - b + b * length / average)).
-- periods: half-open [since, until). depth: how many units a query and period. Of a query with very many terms only
-- the rarest `max_terms` count. Scores are rounded so that no order of summing can turn a tie.
with periods as (
    select number, since, until
    from unnest(cast(:since as timestamptz[]), cast(:until as timestamptz[]))
        with ordinality as period (since, until, number)
),
rarest as (
    select
        asked.query, asked.term, asked.count, coalesce(term_stats.units, 0) as df,
        row_number() over (
            partition by asked.query order by coalesce(term_stats.units, 0), asked.term collate "C"
        ) as place
    from unnest(cast(:queries as integer[]), cast(:terms as text[]), cast(:counts as integer[]))
        as asked (query, term, count)
    left join term_stats
        on term_stats.channel = :channel and term_stats.kind = :kind and term_stats.term = asked.term
),
weights as materialized (
    select
        rarest.query, rarest.term, corpus_stats.average_terms,
        rarest.count * ln(1 + (corpus_stats.units - rarest.df + 0.5) / (rarest.df + 0.5)) as weight
    from rarest
    join corpus_stats on corpus_stats.channel = :channel and corpus_stats.kind = :kind
    where rarest.place <= :max_terms
),
said as materialized (  -- first and once: joined with the rest, the planner read it again for every video
    select
        weights.query, weights.weight, weights.average_terms,
        postings.video_id, postings.unit_id, postings.frequency
    from weights
    join postings on postings.channel = :channel and postings.kind = :kind and postings.term = weights.term
),
scored as materialized (
    select
        said.query, said.unit_id, videos.published_at,
        round(cast(sum(
            said.weight * said.frequency / (
                said.frequency + :k1 * (1 - :b + :b * unit_lengths.terms / said.average_terms)
            )
        ) as numeric), 9) as score
    from said
    join unit_lengths
        on unit_lengths.channel = :channel
        and unit_lengths.kind = :kind
        and unit_lengths.unit_id = said.unit_id
    join videos on videos.channel = :channel and videos.video_id = said.video_id
    where videos.state = 'active'
        and videos.published_at >= (select min(since) from periods)
        and videos.published_at < (select max(until) from periods)
        and (cast(:video_ids as text[]) is null or said.video_id = any(cast(:video_ids as text[])))
        and (cast(:left_out as text[]) is null or said.unit_id <> all(cast(:left_out as text[])))
    group by said.query, said.unit_id, videos.published_at
),
ranked as (
    select
        scored.query, periods.number as period, scored.unit_id, scored.score,
        row_number() over (
            partition by scored.query, periods.number order by scored.score desc, scored.unit_id collate "C"
        ) as rank
    from scored
    join periods on scored.published_at >= periods.since and scored.published_at < periods.until
)
select query, period, unit_id, cast(score as double precision) as score, rank
from ranked
where rank <= :depth
order by query, period, rank;
