"""The search tool: one way for every agent to search, numbered, recorded, several at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from anyio import to_thread

from answertrail_pipeline.agents.events import Recorder, SearchFinished, SearchStarted
from answertrail_pipeline.agents.types import RetrievedChunk
from answertrail_pipeline.retrieval.fusion import best, reciprocal_ranks
from answertrail_pipeline.retrieval.types import Hit, Query, SearchResult
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.database import Database

if TYPE_CHECKING:
    from answertrail_pipeline.models.embedders import Embedder

RRF_K = 60
Search = Callable[[Query, Sequence[str]], Awaitable[SearchResult]]
"""Searches for a query, with sub-queries for a retriever that takes them."""


def corpus_search(
    database: Database,
    channel: str,
    language: str,
    settings: RetrieverSettings,
    embedder: "Embedder",
    until: date | None = None,
    left_out: Sequence[str] = (),
) -> Search:
    """Return the search over a channel's index, each run in a thread of its own.

    Args:
        until: search the corpus as it was on this day.
        left_out: claims by which nothing is found.
    """

    async def run(query: Query, subqueries: Sequence[str]) -> SearchResult:
        from answertrail_pipeline.retrieval.search import search

        return await to_thread.run_sync(
            search, database, channel, language, settings, embedder, query, tuple(subqueries), until, left_out
        )

    return run


@dataclass(frozen=True)
class Found:
    """What one search of a trail brought.

    Attributes:
        new: ids that no earlier search of the trail had found.
    """

    number: int
    query: Query
    result: SearchResult
    new: tuple[str, ...]


class SearchTool:
    """The searches of one trail. Numbers are given before a search is sent, so results never depend on timing.

    Args:
        most: how many chunks one search may bring, whatever is asked for.
    """

    def __init__(self, search: Search, recorder: Recorder, most: int) -> None:
        self._search = search
        self._most = most
        self._recorder = recorder
        self._asked: list[tuple[object, ...]] = []
        self._ranks: list[tuple[str, int]] = []
        self.retrieved: dict[str, RetrievedChunk] = {}

    @property
    def searches(self) -> int:
        """How many searches were made."""
        return len(self._asked)

    @property
    def distinct_searches(self) -> int:
        """How many different ones, by their words and windows."""
        return len(set(self._asked))

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Every chunk retrieved, in the order in which searches found them."""
        return tuple(chunk.hit for chunk in self.retrieved.values())

    def best_first(self) -> list[Hit]:
        """Return every chunk retrieved, best first: the ranks that all searches gave it, fused."""
        scores = reciprocal_ranks(self._ranks, RRF_K)
        return [self.retrieved[chunk_id].hit for chunk_id in best(scores, len(scores))]

    async def run(self, step: int, queries: Sequence[Query], subqueries: Sequence[str] = ()) -> list[Found]:
        """Make several searches at once and return what they found, in the order of `queries`."""
        first = self.searches + 1
        queries = [query if query.k is None else replace(query, k=min(query.k, self._most)) for query in queries]
        for number, query in enumerate(queries, first):
            key = (" ".join(query.text.casefold().split()), query.since, query.until, query.video_ids)
            self._recorder.record(
                SearchStarted(
                    number=number,
                    step=step,
                    query=query.text,
                    since=query.since,
                    until=query.until,
                    subqueries=tuple(subqueries),
                    repeated=key in self._asked,
                )
            )
            self._asked.append(key)
        results = await asyncio.gather(*(self._search(query, subqueries) for query in queries))
        return [
            self._take_in(number, query, result)
            for number, (query, result) in enumerate(zip(queries, results, strict=True), first)
        ]

    def _take_in(self, number: int, query: Query, result: SearchResult) -> Found:
        new = []
        by_score = sorted(result.hits, key=lambda hit: -hit.score)  # a trajectory search gives them by date
        self._ranks += [(hit.chunk_id, rank) for rank, hit in enumerate(by_score, 1)]
        for rank, hit in enumerate(result.hits, 1):
            if hit.chunk_id not in self.retrieved:
                self.retrieved[hit.chunk_id] = RetrievedChunk(hit, number, rank)
                new.append(hit.chunk_id)
        self._recorder.record(
            SearchFinished(
                number=number,
                chunk_ids=tuple(hit.chunk_id for hit in result.hits),
                new=len(new),
                seen=len(result.hits) - len(new),
                coverage=result.coverage,
                log=result.log,
            )
        )
        return Found(number, query, result, tuple(new))
