"""Rankings of units for several queries in several periods at once, by meaning (dense) and by words (BM25)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, text

from answertrail_pipeline.retrieval.vectors import vector_texts
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.shipped import read_sql

if TYPE_CHECKING:
    from answertrail_pipeline.models.embedders import Vectors

MAX_TERMS = 64
"""Of a query with more terms, only the rarest count: a pasted essay must not read the whole index."""


@dataclass(frozen=True)
class Period:
    """A stretch of days, both inclusive; `date.min` and `date.max` leave an end open."""

    since: date
    until: date
    name: str = ""


ALWAYS = Period(date.min, date.max, "always")


@dataclass(frozen=True)
class Scope:
    """Where a search looks.

    Attributes:
        kind: `chunk` or `claim`.
        model_id: whose vectors are compared.
        video_ids: only these; all active videos where empty.
        left_out: units that are never found.
        until: last day of the corpus that is searched; later videos are neither found nor counted.
    """

    channel: str
    kind: str
    language: str
    model_id: str
    video_ids: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    until: date | None = None


class Ranked(NamedTuple):
    """One unit's place for one query, over all periods (`rank`) and in its own (`inside`), both from 1.

    `query` and `period` count from 0. `claim`: the claim that a chunk was found by.
    """

    query: int
    period: int
    unit_id: str
    score: float
    rank: int
    inside: int
    claim: str = ""


def dense_ranking(
    connection: Connection,
    scope: Scope,
    vectors: "Vectors",
    periods: Sequence[Period],
    depth: int,
    inside: int = 0,
) -> list[Ranked]:
    """Rank units by cosine to each query: the `depth` best over all periods, and the `inside` best of each.

    Args:
        vectors: one row a query.
        periods: none overlaps another.
    """
    texts = vector_texts(vectors)
    if len(texts) == len(periods) == 1:
        window = period_bounds(periods)
        one = {"vector": texts[0], "opens": window["since"][0], "closes": window["until"][0]}
        return _run(
            connection, "search/nearest.sql", scope, periods, depth, inside, {"model": scope.model_id, **one}
        )
    values = {"model": scope.model_id, "vectors": texts}
    return _run(connection, "search/dense.sql", scope, periods, depth, inside, values)


def bm25_ranking(
    connection: Connection,
    scope: Scope,
    queries: Sequence[Sequence[str]],
    periods: Sequence[Period],
    depth: int,
    settings: RetrieverSettings,
    inside: int = 0,
) -> list[Ranked]:
    """Rank units by BM25 for each query: the `depth` best over all periods, and the `inside` best of each.

    A unit without any of the query's terms has no rank. No period overlaps another.

    Args:
        queries: the terms of each: its tokens, or its pairs of words.
    """
    asked = [
        (number, term, count)
        for number, query in enumerate(queries, 1)
        for term, count in sorted(Counter(query).items())
    ]
    values = {
        "queries": [number for number, _, _ in asked],
        "terms": [term for _, term, _ in asked],
        "counts": [count for _, _, count in asked],
        "max_terms": MAX_TERMS,
        "k1": settings.bm25_k1,
        "b": settings.bm25_b,
        "corpus_until": scope.until,
        "count_anew": scope.kind == "claim" or scope.until is not None,
    }
    return _run(connection, "search/bm25.sql", scope, periods, depth, inside, values)


def _run(
    connection: Connection,
    name: str,
    scope: Scope,
    periods: Sequence[Period],
    depth: int,
    inside: int,
    values: dict[str, Any],
) -> list[Ranked]:
    rows = connection.execute(
        text(read_sql(name)),
        {
            "channel": scope.channel,
            "kind": scope.kind,
            "video_ids": list(scope.video_ids) or None,
            "left_out": list(scope.left_out) or None,
            **period_bounds(periods),
            "depth": depth,
            "inside": inside,
            **values,
        },
    )
    return [Ranked(*row) for row in rows]


def period_bounds(periods: Sequence[Period]) -> dict[str, list[str]]:
    """Return the bounds of periods as the statements take them: half-open, in UTC."""
    return {
        "since": [_start(period.since) for period in periods],
        "until": [_end(period.until) for period in periods],
    }


def _start(day: date) -> str:
    return "-infinity" if day == date.min else f"{day.isoformat()}T00:00:00Z"


def _end(day: date) -> str:
    return "infinity" if day == date.max else _start(day + timedelta(days=1))
