"""The retriever for evidence spread over time.

The topic without the question's frame, with short sub-queries added to it, each ranked by meaning and by words
over the question's span, the topic by its pairs of words too; all rankings fused; chunks taken best first, where
each that a period already has lowers what its others are worth. Why it is so and what each part is worth:
docs/retrieval.md.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text

from answertrail_pipeline.language.tokens import tokens, word_pairs
from answertrail_pipeline.models.embedders import Embedder
from answertrail_pipeline.retrieval.claims import CLAIM_RANKINGS, fuse, of_claims, stand_for_chunks
from answertrail_pipeline.retrieval.coverage import cover_periods
from answertrail_pipeline.retrieval.found import Found, load_hits, why
from answertrail_pipeline.retrieval.fusion import best, reciprocal_ranks, spread
from answertrail_pipeline.retrieval.periods import make_periods
from answertrail_pipeline.retrieval.rankings import Period, Ranked, Scope, bm25_ranking, dense_ranking
from answertrail_pipeline.retrieval.span import Span, find_span
from answertrail_pipeline.retrieval.topic import core_topic
from answertrail_pipeline.retrieval.types import Query, SearchResult
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AT_ONCE = 2
"""Rankings of one search that the database makes at once."""
PERIOD_DEPTH = 20
"""How deep the rankings inside a period go where periods have a floor."""


def search_trajectory(
    database: Database,
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
    with database.begin() as connection:
        span = _span(connection, scope, query)
    queries = list(dict.fromkeys([core_topic(query.text, scope.language), *subqueries[: settings.subqueries]]))
    log: dict[str, Any] = {"kind": "trajectory", "query": query.text, "model": scope.model_id, "queries": queries}
    if span is None:
        return SearchResult((), log=log | {"span": None})
    periods = make_periods(span.since, span.until, settings.floor, count)
    rankings = _rank(database, scope, settings, embedder, queries, periods, max(settings.pool, count), left_out)
    found = _choose(rankings, settings, queries, periods, count)
    with database.begin() as connection:
        loaded = load_hits(connection, scope.channel, found)
        hits = sorted(loaded, key=lambda hit: (hit.published_at, hit.chunk_id))
        coverage = cover_periods(connection, scope, periods, _inside_periods(rankings["dense"]), hits)
    log |= {
        "span": {"since": span.since.isoformat(), "until": span.until.isoformat(), "from": span.source},
        "periods": len(periods),
        "floor": settings.floor,
        "spread": settings.spread,
        "rrf_k": settings.fusion_k,
    }
    return SearchResult(tuple(hits), coverage, log)


def _rank(
    database: Database,
    scope: Scope,
    settings: RetrieverSettings,
    embedder: Embedder,
    queries: Sequence[str],
    periods: Sequence[Period],
    depth: int,
    left_out: Sequence[str],
) -> dict[str, list[Ranked]]:
    """Rank by meaning and by words, over the span and, for floors, inside each period.

    The database ranks while this thread embeds. No connection is held while another is waited for: with many
    searches at once, all would wait.
    """

    def by_words(where: Scope, asked: Sequence[Sequence[str]], inside: int) -> list[Ranked]:
        with database.begin() as connection:
            return bm25_ranking(connection, where, asked, periods, depth, settings, inside)

    def by_meaning(where: Scope, number: int, vector: "NDArray[np.float32]", inside: int) -> list[Ranked]:
        with database.begin() as connection:
            ranked = dense_ranking(connection, where, vector[None, :], periods, depth, inside)
        return [one._replace(query=number) for one in ranked]

    inside = PERIOD_DEPTH if settings.floor else 0
    words = [tokens(query, scope.language) for query in queries]
    claims = of_claims(scope, left_out) if settings.claims != "none" else None
    meanings, claim_meanings = [], []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        spoken = pool.submit(by_words, scope, [*words, word_pairs(words[0])], inside)
        claimed = pool.submit(by_words, claims, words, 0) if claims else None
        for number, query in enumerate(queries):
            vector = embedder.embed_query(query)
            # The coverage report wants the nearest of each period, floor or none.
            meanings.append(pool.submit(by_meaning, scope, number, vector, max(inside, 1)))
            if claims:
                claim_meanings.append(pool.submit(by_meaning, claims, number, vector, 0))
    ranked = spoken.result()
    rankings = {
        "dense": _together(meanings),
        "bm25": [one for one in ranked if one.query < len(queries)],
        "pairs": [one._replace(query=0) for one in ranked if one.query == len(queries)],
    }
    if claimed is None:
        return rankings
    with database.begin() as connection:
        return rankings | stand_for_chunks(connection, scope.channel, _together(claim_meanings), claimed.result())


def _together(asked: Sequence[Future[list[Ranked]]]) -> list[Ranked]:
    return [one for future in asked for one in future.result()]


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
