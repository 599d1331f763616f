"""The retriever for evidence spread over time.

The topic without the question's frame, with short sub-queries added to it, each ranked by meaning and by words
over the question's span, the topic by its pairs of words too; all rankings fused; chunks taken best first, where
each that a period already has lowers what its others are worth. Why it is so and what each part is worth:
docs/retrieval.md.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy import Connection, text

from answertrail_pipeline.language.tokens import tokens, word_pairs
from answertrail_pipeline.models.embedders import Embedder
from answertrail_pipeline.retrieval.claims import CLAIM_RANKINGS, fuse, rank_claims
from answertrail_pipeline.retrieval.coverage import cover_periods
from answertrail_pipeline.retrieval.found import Found, load_hits, why
from answertrail_pipeline.retrieval.fusion import best, reciprocal_ranks, spread
from answertrail_pipeline.retrieval.periods import make_periods
from answertrail_pipeline.retrieval.rankings import Period, Ranked, Scope, bm25_ranking, dense_ranking
from answertrail_pipeline.retrieval.span import Span, find_span
from answertrail_pipeline.retrieval.topic import core_topic
from answertrail_pipeline.retrieval.types import Query, SearchResult
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.shipped import read_sql

PERIOD_DEPTH = 20
"""How deep the rankings inside a period go where periods have a floor."""


def search_trajectory(
    connection: Connection,
    scope: Scope,
    settings: RetrieverSettings,
    embedder: Embedder,
    query: Query,
    count: int,
    subqueries: Sequence[str],
    left_out: Sequence[str] = (),
) -> SearchResult:
    """Search for evidence over a span of time; hits are ordered by date.

    Args:
        subqueries: added to the topic, as many as the settings allow.
        left_out: claims by which nothing is found, where claims are searched.
    """
    span = _span(connection, scope, query)
    queries = list(dict.fromkeys([core_topic(query.text, scope.language), *subqueries[: settings.subqueries]]))
    log: dict[str, Any] = {"kind": "trajectory", "query": query.text, "model": scope.model_id, "queries": queries}
    if span is None:
        return SearchResult((), log=log | {"span": None})
    periods = make_periods(span.since, span.until, settings.floor, count)
    rankings = _rank(connection, scope, settings, embedder, queries, periods, max(settings.pool, count), left_out)
    found = _choose(rankings, settings, queries, periods, count)
    hits = sorted(load_hits(connection, scope.channel, found), key=lambda hit: (hit.published_at, hit.chunk_id))
    log |= {
        "span": {"since": span.since.isoformat(), "until": span.until.isoformat(), "from": span.source},
        "periods": len(periods),
        "floor": settings.floor,
        "spread": settings.spread,
        "rrf_k": settings.fusion_k,
    }
    coverage = cover_periods(connection, scope, periods, _inside_periods(rankings["dense"]), hits)
    return SearchResult(tuple(hits), coverage, log)


def _rank(
    connection: Connection,
    scope: Scope,
    settings: RetrieverSettings,
    embedder: Embedder,
    queries: Sequence[str],
    periods: Sequence[Period],
    depth: int,
    left_out: Sequence[str],
) -> dict[str, list[Ranked]]:
    """Rank by meaning and by words, over the span and, for floors, inside each period."""
    import numpy as np

    inside = PERIOD_DEPTH if settings.floor else 0
    words = [tokens(query, scope.language) for query in queries]
    asked = [*words, word_pairs(words[0])]
    with ThreadPoolExecutor(1) as pool:  # the database ranks by words while this thread embeds
        by_words = pool.submit(bm25_ranking, connection, scope, asked, periods, depth, settings, inside)
        vectors = np.stack([embedder.embed_query(text_) for text_ in queries])
    ranked = by_words.result()
    # The coverage report wants the nearest of each period, floor or none.
    dense = dense_ranking(connection, scope, vectors, periods, depth, max(inside, 1))
    rankings = {
        "dense": dense,
        "bm25": [one for one in ranked if one.query < len(queries)],
        "pairs": [one._replace(query=0) for one in ranked if one.query == len(queries)],
    }
    if settings.claims != "none":
        rankings |= rank_claims(connection, scope, left_out, vectors, words, periods, depth, settings)
    return rankings


def _choose(
    rankings: Mapping[str, Sequence[Ranked]],
    settings: RetrieverSettings,
    queries: Sequence[str],
    periods: Sequence[Period],
    count: int,
) -> list[Found]:
    """Fuse the rankings and choose chunks, with why."""
    depth = max(settings.pool, count)
    over = {name: [one for one in ranking if one.rank <= depth] for name, ranking in rankings.items()}
    inside = {
        name: _inside_periods(ranking)
        for name, ranking in rankings.items()
        if settings.floor and name not in CLAIM_RANKINGS
    }
    scores = fuse(over, settings.fusion_k)
    floors = _floors(inside, settings)
    period_of = {one.unit_id: one.period for ranking in rankings.values() for one in ranking}
    chosen = spread(scores, period_of, settings.spread, count, floors)
    reasons = why({name: _of(chosen, ranking) for name, ranking in over.items()}, queries)
    at_home = why({name: _of(floors, ranking) for name, ranking in inside.items()}, queries)
    return [
        Found(
            unit_id,
            scores.get(unit_id, 0.0),
            {"period": periods[period_of[unit_id]].name}
            | reasons.get(unit_id, {})
            | ({"inside": at_home[unit_id]} if unit_id in at_home else {}),
        )
        for unit_id in chosen
    ]


def _floors(inside: Mapping[str, Sequence[Ranked]], settings: RetrieverSettings) -> list[str]:
    """Return the best of each period, in order of periods. Ranks over the span would not do: in a period without
    any candidate of the span they would pick a unit at random."""
    ranks: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for ranking in inside.values():
        for one in ranking:
            ranks[one.period].append((one.unit_id, one.rank))
    return [
        unit_id
        for _, pairs in sorted(ranks.items())
        for unit_id in best(reciprocal_ranks(pairs, settings.fusion_k), settings.floor)
    ]


def _span(connection: Connection, scope: Scope, query: Query) -> Span | None:
    row = connection.execute(
        text(read_sql("search/span.sql")),
        {"channel": scope.channel, "video_ids": list(scope.video_ids) or None, "corpus_until": scope.until},
    ).one()
    return find_span(query, row.first_day, row.last_day) if row.first_day else None


def _inside_periods(ranking: Sequence[Ranked]) -> list[Ranked]:
    """Return what is among the best of its period, ranked by its place there."""
    return [one._replace(rank=one.inside) for one in ranking if one.inside <= PERIOD_DEPTH]


def _of(unit_ids: Collection[str], ranking: Sequence[Ranked]) -> list[Ranked]:
    wanted = set(unit_ids)
    return [one for one in ranking if one.unit_id in wanted]
