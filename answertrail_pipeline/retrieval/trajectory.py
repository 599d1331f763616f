"""The retriever for evidence spread over time.

The topic without the question's frame, with short sub-queries added to it, each ranked by meaning and by words
over the question's span; all rankings fused; a floor of chunks for each period, the rest by the fused rank of the
whole span. Why it is so and what each part is worth: docs/retrieval.md.
"""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, text

from answertrail_pipeline.models.embedders import Embedder
from answertrail_pipeline.retrieval.coverage import cover_periods
from answertrail_pipeline.retrieval.found import Found, load_hits, why
from answertrail_pipeline.retrieval.fusion import best, reciprocal_ranks, with_floor
from answertrail_pipeline.retrieval.periods import make_periods
from answertrail_pipeline.retrieval.rankings import Ranked, Scope, bm25_ranking, dense_ranking
from answertrail_pipeline.retrieval.span import Span, find_span
from answertrail_pipeline.retrieval.topic import core_topic
from answertrail_pipeline.retrieval.types import Query, SearchResult
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.shipped import read_sql

PERIOD_DEPTH = 20
"""How deep the rankings inside a period go."""


def search_trajectory(
    connection: Connection,
    scope: Scope,
    settings: RetrieverSettings,
    embedder: Embedder,
    query: Query,
    count: int,
    subqueries: Sequence[str],
) -> SearchResult:
    """Search for evidence over a span of time; hits are ordered by date.

    Args:
        subqueries: added to the topic, as many as the settings allow.
    """
    import numpy as np

    span = _span(connection, scope, query)
    queries = list(dict.fromkeys([core_topic(query.text, scope.language), *subqueries[: settings.subqueries]]))
    log: dict[str, Any] = {"kind": "trajectory", "query": query.text, "model": scope.model_id, "queries": queries}
    if span is None:
        return SearchResult((), log=log | {"span": None})
    periods = make_periods(span.since, span.until, settings.floor, count)
    depth = max(settings.pool, count)
    vectors = np.stack([embedder.embed_query(text_) for text_ in queries])
    all_dense = dense_ranking(connection, scope, vectors, periods, depth, PERIOD_DEPTH)
    all_words = bm25_ranking(connection, scope, queries, periods, depth, settings, PERIOD_DEPTH)
    dense, words = _over_the_span(all_dense, depth), _over_the_span(all_words, depth)
    dense_inside, words_inside = _inside_periods(all_dense), _inside_periods(all_words)
    overall = reciprocal_ranks(((one.unit_id, one.rank) for one in dense + words), settings.rrf_k)
    by_period = _fuse_inside(dense_inside + words_inside, len(periods), settings.rrf_k)
    chosen = with_floor(overall, by_period, settings.floor, count)

    floors = {unit_id: at for at, scores in enumerate(by_period) for unit_id in best(scores, settings.floor)}
    reasons = why(_of(chosen, dense), _of(chosen, words), queries)
    inside = why(_of(floors, dense_inside), _of(floors, words_inside), queries)
    found = [
        Found(
            unit_id,
            overall.get(unit_id, 0.0),
            reasons.get(unit_id, {})
            | (
                {"floor_of": periods[floors[unit_id]].name, "inside": inside[unit_id]} if unit_id in floors else {}
            ),
        )
        for unit_id in chosen
    ]
    hits = sorted(load_hits(connection, scope.channel, found), key=lambda hit: (hit.published_at, hit.chunk_id))
    log |= {
        "span": {"since": span.since.isoformat(), "until": span.until.isoformat(), "from": span.source},
        "periods": len(periods),
        "floor": settings.floor,
    }
    coverage = cover_periods(connection, scope, periods, dense_inside, hits)
    return SearchResult(tuple(hits), coverage, log)


def _span(connection: Connection, scope: Scope, query: Query) -> Span | None:
    row = connection.execute(
        text(read_sql("search/span.sql")),
        {"channel": scope.channel, "video_ids": list(scope.video_ids) or None, "corpus_until": scope.until},
    ).one()
    return find_span(query, row.first_day, row.last_day) if row.first_day else None


def _over_the_span(ranking: Sequence[Ranked], depth: int) -> list[Ranked]:
    return [one for one in ranking if one.rank <= depth]


def _inside_periods(ranking: Sequence[Ranked]) -> list[Ranked]:
    """Return what is among the best of its period, ranked by its place there."""
    return [one._replace(rank=one.inside) for one in ranking if one.inside <= PERIOD_DEPTH]


def _fuse_inside(ranking: Sequence[Ranked], periods: int, rrf_k: int) -> list[dict[str, float]]:
    """Fuse the rankings of each period by the ranks inside it."""
    ranks: list[list[tuple[str, int]]] = [[] for _ in range(periods)]
    for one in ranking:
        ranks[one.period].append((one.unit_id, one.rank))
    return [reciprocal_ranks(inside, rrf_k) for inside in ranks]


def _of(unit_ids: Collection[str], ranking: Sequence[Ranked]) -> list[Ranked]:
    wanted = set(unit_ids)
    return [one for one in ranking if one.unit_id in wanted]
