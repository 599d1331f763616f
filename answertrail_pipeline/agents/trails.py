"""Trails as rows: written once, read by judging, scoring and the workbench, adopted where the work is the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, Row, text

from answertrail_pipeline.agents.passages import NO_DATE
from answertrail_pipeline.agents.types import FOREIGN, RetrievedChunk, Trail
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.retrieval.types import Hit
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import delete_rows, insert_rows, replace_rows
from answertrail_pipeline.store.shipped import read_sql


@dataclass(frozen=True)
class StoredTrail:
    """A trail with what it was made for.

    Attributes:
        error: why there is no answer; None where the trail is done.
        adopted_from: run_key of the run that did the work.
    """

    run_key: str
    question_id: str
    question: str
    trail: Trail
    fingerprint: str
    error: str | None = None
    adopted_from: str | None = None


def trail_fingerprint(
    question: str, arm_hash: str, corpus_id: str, repetition: int, epoch: int, hidden: Sequence[str]
) -> str:
    """Return the fingerprint of all that a trail is made from.

    Args:
        hidden: the claims that the arm leaves out; where there are none, they are not part of it.
    """
    made_from = (question, arm_hash, corpus_id, repetition, epoch)
    return fingerprint(*made_from, sorted(hidden)) if hidden else fingerprint(*made_from)


def trail_hash(trail: Trail) -> str:
    """Return the fingerprint of what judging depends on: the answer, its citations and the chunks behind it."""
    return fingerprint(
        trail.answer,
        trail.citations,
        trail.abstained,
        trail.evidence,
        [(chunk.hit.chunk_id, chunk.hit.text_sha256, chunk.kept) for chunk in trail.retrieved],
    )


def write_trail(connection: Connection, channel: str, stored: StoredTrail) -> None:
    """Store a trail in place of an earlier one for the same run and question."""
    trail = stored.trail
    key = {"run_key": stored.run_key, "question_id": stored.question_id}
    row = {
        **key,
        "state": "error" if stored.error else "done",
        "question": stored.question,
        "answer": None if stored.error else trail.answer,
        "abstained": trail.abstained,
        "citations": list(trail.citations),
        "events": Jsonb(list(trail.events)),
        "searches": trail.searches,
        "steps": trail.steps,
        "budget_exhausted": trail.budget_exhausted,
        "evidence": trail.evidence,
        "model_calls": trail.model_calls,
        "prompt_tokens": trail.prompt_tokens,
        "completion_tokens": trail.completion_tokens,
        "cost_usd": trail.cost_usd,
        "detail": Jsonb(trail.detail),
        "error": stored.error,
        "adopted_from": stored.adopted_from,
        "fingerprint": stored.fingerprint,
    }
    replace_rows(connection, "trails", key, [row])
    _keep_foreign_texts(connection, channel, trail)
    insert_rows(connection, "trail_chunks", [_chunk_row(key, chunk, trail) for chunk in trail.retrieved])
    delete_rows(connection, "timings", key)
    insert_rows(connection, "timings", [{**key, "seconds": trail.seconds}])


def _keep_foreign_texts(connection: Connection, channel: str, trail: Trail) -> None:
    rows = [
        {
            "channel": channel,
            "chunk_id": chunk.hit.chunk_id,
            "text_sha256": chunk.hit.text_sha256,
            "text": chunk.hit.text,
        }
        for chunk in trail.retrieved
        if chunk.hit.chunk_id.startswith(FOREIGN)
    ]
    insert_rows(connection, "chunk_texts", rows, skip_existing=True)


def _chunk_row(key: Mapping[str, str], chunk: RetrievedChunk, trail: Trail) -> dict[str, Any]:
    hit = chunk.hit
    return {
        **key,
        "chunk_id": hit.chunk_id,
        "text_sha256": hit.text_sha256,
        "video_id": hit.video_id,
        "title": hit.title,
        "published_at": None if hit.published_at == NO_DATE else hit.published_at,
        "start_seconds": hit.start_seconds,
        "first_step": chunk.first_step,
        "rank": chunk.rank,
        "score": hit.score,
        "why": Jsonb(hit.why),
        "kept": chunk.kept,
        "cited": hit.chunk_id in trail.citations,
    }


def load_trails(database: Database, run_key: str) -> list[StoredTrail]:
    """Return every trail of a run, by question id."""
    with database.begin() as connection:
        return _load(connection, run_key, None)


def load_trail(database: Database, run_key: str, question_id: str) -> StoredTrail | None:
    """Return one trail, or None where the question was not asked."""
    with database.begin() as connection:
        return next(iter(_load(connection, run_key, question_id)), None)


def find_finished(connection: Connection, channel: str, wanted: str, not_in: str) -> StoredTrail | None:
    """Return a finished trail of the same fingerprint from another run of a channel; the oldest run's."""
    row = connection.execute(
        text(read_sql("queries/trail_to_adopt.sql")),
        {"channel": channel, "fingerprint": wanted, "not_in": not_in},
    ).one_or_none()
    return next(iter(_load(connection, row.run_key, row.question_id)), None) if row else None


def _load(connection: Connection, run_key: str, question_id: str | None) -> list[StoredTrail]:
    wanted = {"run_key": run_key, "question_id": question_id}
    chunks: dict[str, list[RetrievedChunk]] = {}
    for row in connection.execute(text(read_sql("queries/trail_chunks.sql")), wanted):
        chunks.setdefault(row.question_id, []).append(_chunk(row))
    rows = connection.execute(text(read_sql("queries/trails.sql")), wanted)
    return [_stored(row, tuple(chunks.get(row.question_id, ()))) for row in rows]


def _stored(row: Row[Any], retrieved: tuple[RetrievedChunk, ...]) -> StoredTrail:
    trail = Trail(
        answer=row.answer or "",
        citations=tuple(row.citations),
        retrieved=retrieved,
        abstained=row.abstained,
        events=tuple(row.events),
        searches=row.searches,
        steps=row.steps,
        budget_exhausted=row.budget_exhausted,
        evidence=row.evidence,
        model_calls=row.model_calls,
        prompt_tokens=row.prompt_tokens,
        completion_tokens=row.completion_tokens,
        cost_usd=row.cost_usd,
        seconds=row.seconds or 0.0,
        detail=row.detail,
    )
    return StoredTrail(
        row.run_key, row.question_id, row.question, trail, row.fingerprint, row.error, row.adopted_from
    )


def _chunk(row: Row[Any]) -> RetrievedChunk:
    hit = Hit(
        chunk_id=row.chunk_id,
        text_sha256=row.text_sha256,
        video_id=row.video_id,
        title=row.title,
        published_at=row.published_at or NO_DATE,
        start_seconds=row.start_seconds,
        text=row.text,
        score=row.score,
        why=row.why,
    )
    return RetrievedChunk(hit, row.first_step, row.rank, row.kept)
