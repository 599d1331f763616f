"""Claims as a second index: each is ranked like a chunk, and stands for the chunks that state it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.retrieval.fusion import reciprocal_ranks
from answertrail_pipeline.retrieval.rankings import Period, Ranked, Scope, bm25_ranking, dense_ranking
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.shipped import read_sql

if TYPE_CHECKING:
    from answertrail_pipeline.models.embedders import Vectors

CLAIM_WEIGHT = 0.5
"""Of a ranking of claims, where one of chunks weighs 1 (docs/retrieval.md)."""
CLAIM_RANKINGS = ("claims, dense", "claims, bm25")


def rank_claims(
    connection: Connection,
    scope: Scope,
    left_out: Sequence[str],
    vectors: "Vectors",
    queries: Sequence[Sequence[str]],
    periods: Sequence[Period],
    depth: int,
    settings: RetrieverSettings,
) -> dict[str, list[Ranked]]:
    """Rank claims by meaning and by words, as chunks.

    Args:
        scope: of the search for chunks.
        left_out: claims that are never found and whose words weigh nothing.
        queries: the tokens of each.
    """
    claims = of_claims(scope, left_out)
    ranked = (
        dense_ranking(connection, claims, vectors, periods, depth),
        bm25_ranking(connection, claims, queries, periods, depth, settings),
    )
    return stand_for_chunks(connection, scope.channel, *ranked)


def of_claims(scope: Scope, left_out: Sequence[str]) -> Scope:
    """Return where claims are searched in the place of chunks, without those that are never found."""
    return replace(scope, kind="claim", left_out=tuple(left_out))


def stand_for_chunks(
    connection: Connection, channel: str, dense: Sequence[Ranked], bm25: Sequence[Ranked]
) -> dict[str, list[Ranked]]:
    """Return rankings of claims as rankings of chunks: a chunk has the place of the best claim that it states."""
    found = sorted({one.unit_id for ranking in (dense, bm25) for one in ranking})
    rows = connection.execute(
        text(read_sql("search/chunks_of_claims.sql")), {"channel": channel, "claim_ids": found}
    )
    chunks_of = {row.claim_id: row.chunk_ids for row in rows}
    return {
        name: _as_chunks(ranking, chunks_of) for name, ranking in zip(CLAIM_RANKINGS, (dense, bm25), strict=True)
    }


def _as_chunks(ranking: Sequence[Ranked], chunks_of: Mapping[str, Sequence[str]]) -> list[Ranked]:
    best: dict[tuple[int, str], Ranked] = {}
    for one in sorted(ranking, key=lambda ranked: (ranked.query, ranked.rank)):
        for chunk_id in chunks_of.get(one.unit_id, ()):
            best.setdefault((one.query, chunk_id), one._replace(unit_id=chunk_id, claim=one.unit_id))
    return list(best.values())


def fuse(rankings: Mapping[str, Iterable[Ranked]], rrf_k: int) -> dict[str, float]:
    """Return the fused score of each chunk; rankings of claims count half."""

    def fused(names: Iterable[str]) -> dict[str, float]:
        return reciprocal_ranks(((one.unit_id, one.rank) for name in names for one in rankings[name]), rrf_k)

    scores = fused(name for name in rankings if name not in CLAIM_RANKINGS)
    for chunk_id, score in fused(name for name in rankings if name in CLAIM_RANKINGS).items():
        scores[chunk_id] = scores.get(chunk_id, 0.0) + CLAIM_WEIGHT * score
    return scores


def check_claims(connection: Connection, channel: str, model_id: str) -> None:
    """Refuse to search an index of claims that is not finished.

    Raises:
        UserError: claims of some videos were not extracted, or are not indexed with the model.
    """
    given = {"channel": channel, "model": model_id}
    ready = connection.execute(text(read_sql("search/claims_ready.sql")), given).one()
    if ready.extracted < ready.videos:
        missing = ready.videos - ready.extracted
        raise UserError(
            f"The claims of {missing:,} of {ready.videos:,} videos of channel `{channel}` are not extracted,"
            " and the retriever searches claims.",
            'Extract them with `answertrail run`, or set claims = "none" in the arm\'s retriever.',
        )
    if ready.unindexed:
        raise UserError(
            f"The claims of {ready.unindexed:,} of {ready.videos:,} videos of channel `{channel}` are not indexed"
            f" with `{model_id}`.",
            "They are with the next `answertrail run` or `evaluate` of an arm that searches claims.",
        )
