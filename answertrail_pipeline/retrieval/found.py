"""What a ranking found, with why, and the chunks behind it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from answertrail_pipeline.retrieval.rankings import Ranked
from answertrail_pipeline.retrieval.types import Hit
from answertrail_pipeline.store.shipped import read_sql


class Found(NamedTuple):
    """A chunk's id, its fused score and the JSON values that say why it was found."""

    chunk_id: str
    score: float
    why: dict[str, Any]


def why(rankings: Mapping[str, Sequence[Ranked]], queries: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return for each unit its best place in each of the named rankings, and the query that gave it."""
    reasons: dict[str, dict[str, Any]] = {}
    for name, ranking in rankings.items():
        for one in sorted(ranking, key=lambda ranked: (ranked.rank, ranked.query)):
            reason = reasons.setdefault(one.unit_id, {})
            if name not in reason:
                reason[name] = {"rank": one.rank, "score": round(one.score, 6), "query": queries[one.query]}
                if one.claim:
                    reason[name]["claim"] = one.claim
    return reasons


def load_hits(connection: Connection, channel: str, found: Sequence[Found]) -> tuple[Hit, ...]:
    """Return the chunks in the given order, with their texts as they are now."""
    rows = connection.execute(
        text(read_sql("queries/chunks_by_id.sql")),
        {"channel": channel, "chunk_ids": [one.chunk_id for one in found], "until": None},
    )
    chunks = {row.chunk_id: row for row in rows}
    return tuple(
        Hit(
            chunk_id=one.chunk_id,
            text_sha256=row.text_sha256,
            video_id=row.video_id,
            title=row.title,
            published_at=row.published_at,
            start_seconds=row.start_seconds,
            text=row.spoken_text,
            score=one.score,
            why=one.why,
        )
        for one in found
        if (row := chunks.get(one.chunk_id)) is not None
    )
