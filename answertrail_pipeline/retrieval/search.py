"""One search over a channel's index, by whichever retriever an arm names."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.models.embedders import Embedder
from answertrail_pipeline.retrieval.claims import check_claims, fuse, rank_claims
from answertrail_pipeline.retrieval.found import Found, load_hits, why
from answertrail_pipeline.retrieval.fusion import best
from answertrail_pipeline.retrieval.rankings import ALWAYS, Period, Ranked, Scope, bm25_ranking, dense_ranking
from answertrail_pipeline.retrieval.trajectory import search_trajectory
from answertrail_pipeline.retrieval.types import Query, SearchResult
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql


def search(
    database: Database,
    channel: str,
    language: str,
    settings: RetrieverSettings,
    embedder: Embedder,
    query: Query,
    subqueries: Sequence[str] = (),
    until: date | None = None,
    left_out: Sequence[str] = (),
) -> SearchResult:
    """Search a channel's index and return chunks in order with why each was found.

    Only active videos are searched. The same index and query give the same result however often they were asked;
    ties go to the smaller id. Waits for the database and perhaps for a remote model:
    from asynchronous code call it with `anyio.to_thread.run_sync`.

    Args:
        language: of the channel, for the tokenizer and the question's frame.
        subqueries: short phrases added to the topic; read by the retriever `trajectory` only, which uses as many
            as its settings allow.
        until: search the corpus as it was on this day: later videos are not found and weigh no word.
        left_out: claims by which nothing is found, where claims are searched.

    Raises:
        UserError: the index is empty or not finished.
    """
    scope = Scope(channel, "chunk", language, embedder.model_id, query.video_ids, until=until)
    count = query.k or settings.k
    with database.begin() as connection:
        _check_index(connection, scope, settings)
        if not query.text.strip():
            return SearchResult((), log={"kind": settings.kind, "query": query.text})
        if settings.kind != "trajectory":
            found = _search_once(connection, scope, settings, embedder, query, count, left_out)
            log = {"kind": settings.kind, "query": query.text, "model": embedder.model_id}
            return SearchResult(load_hits(connection, channel, found), log=log)
    return search_trajectory(database, scope, settings, embedder, query, count, subqueries, left_out)


def _search_once(
    connection: Connection,
    scope: Scope,
    settings: RetrieverSettings,
    embedder: Embedder,
    query: Query,
    count: int,
    left_out: Sequence[str],
) -> list[Found]:
    last = min(query.until or ALWAYS.until, scope.until or ALWAYS.until)
    window = [Period(query.since or ALWAYS.since, last)]
    asked = [tokens(query.text, scope.language)]
    rankings: dict[str, list[Ranked]] = {}
    depth = max(settings.pool, count) if settings.kind == "hybrid" else count
    if settings.kind in ("dense", "hybrid"):
        vectors = embedder.embed_query(query.text)[None, :]
        rankings["dense"] = dense_ranking(connection, scope, vectors, window, depth)
    if settings.kind in ("bm25", "hybrid"):
        rankings["bm25"] = bm25_ranking(connection, scope, asked, window, depth, settings)
    if settings.claims != "none":
        rankings |= rank_claims(connection, scope, left_out, vectors, asked, window, depth, settings)
    if settings.kind == "hybrid":
        scores = fuse(rankings, settings.fusion_k)
    else:
        scores = {one.unit_id: one.score for ranking in rankings.values() for one in ranking}
    reasons = why(rankings, [query.text])
    return [Found(unit_id, scores[unit_id], reasons[unit_id]) for unit_id in best(scores, count)]


def _check_index(connection: Connection, scope: Scope, settings: RetrieverSettings) -> None:
    place = {"channel": scope.channel, "kind": scope.kind, "model": scope.model_id}
    index = connection.execute(text(read_sql("search/index_ready.sql")), place).one()
    if not index.counted:
        raise UserError(
            f"0 chunks in the index of channel `{scope.channel}`.",
            "Build it with `answertrail run`; the agent is not at fault and nothing is scored.",
        )
    if settings.kind != "bm25" and not index.embedded:
        size = connection.execute(text(read_sql("search/index_size.sql")), place).one()
        raise UserError(
            f"{size.embedded:,} of {size.units:,} chunks of channel `{scope.channel}` are embedded with"
            f" `{scope.model_id}`.",
            "Finish the index with `answertrail run`, or name the model that it was made with in [models.embed].",
        )
    if settings.claims != "none":
        check_claims(connection, scope.channel, scope.model_id)
