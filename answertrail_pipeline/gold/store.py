"""Reading and writing proposals: what the stages, the person's decisions and the versions share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.shipped import read_sql


@dataclass(frozen=True)
class StoredClaim:
    """A claim as the question writers see it."""

    claim_id: str
    video_id: str
    day: date
    text: str
    topics: tuple[str, ...]
    entities: tuple[str, ...]
    chunk_ids: tuple[str, ...]
    flags: tuple[str, ...]


def claims_by_id(connection: Connection, channel: str, claim_ids: Sequence[str]) -> list[StoredClaim]:
    """Return claims in order of day and id; those that are gone are left out."""
    rows = connection.execute(
        text(read_sql("queries/claims_by_id.sql")), {"channel": channel, "claim_ids": list(claim_ids)}
    )
    return [
        StoredClaim(
            row.claim_id,
            row.video_id,
            row.day,
            row.text,
            tuple(row.topics),
            tuple(row.entities),
            tuple(row.chunk_ids),
            tuple(row.flags),
        )
        for row in rows
    ]


def claims_of_video(connection: Connection, channel: str, video_id: str) -> list[StoredClaim]:
    """Return the high-confidence claims of a video in order of id."""
    ids = connection.execute(
        text(
            "select claim_id from claims where channel = :channel and video_id = :video_id and confidence = 'high'"
        ),
        {"channel": channel, "video_id": video_id},
    ).scalars()
    return claims_by_id(connection, channel, list(ids))


def chunk_texts(connection: Connection, channel: str, chunk_ids: Sequence[str]) -> dict[str, str]:
    """Return the texts of chunks by id, as the corpus has them now."""
    rows = connection.execute(
        text(read_sql("queries/chunk_texts_now.sql")), {"channel": channel, "chunk_ids": list(chunk_ids)}
    )
    return {row.chunk_id: row.text for row in rows}


def questions_of_channel(connection: Connection, channel: str) -> list[Any]:
    """Return id, text, state, unit and claims of every question."""
    return list(connection.execute(text(read_sql("queries/questions_of_channel.sql")), {"channel": channel}))


def decided_questions(connection: Connection, channel: str) -> dict[str, set[str]]:
    """Return the questions that a decision was taken on, by the unit that proposed them."""
    rows = connection.execute(text(read_sql("queries/decided_questions.sql")), {"channel": channel})
    decided: dict[str, set[str]] = {}
    for row in rows:
        decided.setdefault(row.unit_key, set()).add(row.question_id)
    return decided


def question_id(tier: str, *parts: str) -> str:
    """Return a stable id, such as `fc-3f2a9c1b`, made from the unit and the question's text."""
    prefix = {"factual": "fc", "longitudinal": "lc", "biography": "bc"}[tier]
    return f"{prefix}-{fingerprint(tier, *parts)[:8]}"


def replace_proposal(
    connection: Connection, channel: str, unit_key: str, row: Mapping[str, Any] | None, decided: set[str]
) -> None:
    """Put a unit's proposal in the place of its undecided ones; a decided one stays, and the new one beside it."""
    connection.execute(
        text(
            "delete from questions where channel = :channel and unit_key = :unit_key"
            " and not question_id = any(:decided)"
        ),
        {"channel": channel, "unit_key": unit_key, "decided": sorted(decided)},
    )
    if row is None or row["question_id"] in decided:
        return
    detail = dict(row["detail"])
    if decided:
        detail["revises"] = sorted(decided)
    insert_rows(
        connection, "questions", [{**row, "channel": channel, "unit_key": unit_key, "detail": Jsonb(detail)}]
    )
