"""Videos and chunks as the corpus stages leave them, and the gold stages run over them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import text

from answertrail_pipeline.gold.claims import claims_stage
from answertrail_pipeline.gold.threads import threads_stage
from answertrail_pipeline.hashing import fingerprint, text_sha256
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.settings import ChannelSettings, FileSettings, GoldSettings, JsonlSource, Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import video_key
from answertrail_pipeline.store.rows import insert_rows, replace_rows
from answertrail_pipeline.store.stage_run import StageReport, run_stage

CHANNEL = "talks"


def make_settings(root: Path, **fields: Any) -> Settings:
    channel = ChannelSettings(source=JsonlSource(path=root))
    parsed = FileSettings(channels={CHANNEL: channel}, gold=fields.pop("gold", GoldSettings()), **fields)
    values = {name: getattr(parsed, name) for name in FileSettings.model_fields}
    return Settings.model_construct(**values, root=root, database_url=None)


def put_video(
    database: Database,
    video_id: str,
    day: str,
    chunks: Sequence[str],
    *,
    blocked: str | None = None,
    **fields: Any,
) -> None:
    """Put a video of 30-second chunks into the corpus, or another text of it, with its `stage_run` row."""
    ids = [f"{video_id}:{30 * at:05d}" for at in range(len(chunks))]
    where = {"channel": CHANNEL, "video_id": video_id}
    video = {
        **where,
        "title": f"Talk {video_id}",
        "published_at": datetime.fromisoformat(day).replace(tzinfo=UTC),
        "published_precision": "day",
        "published_source": "test",
        "language": "en",
        "content_sha256": text_sha256("".join(chunks)),
        **fields,
    }
    texts = [
        {"channel": CHANNEL, "chunk_id": chunk_id, "text_sha256": text_sha256(said), "text": said}
        for chunk_id, said in zip(ids, chunks, strict=True)
    ]
    with database.begin() as connection:
        connection.execute(text("delete from chunks where channel = :channel and video_id = :video_id"), where)
        replace_rows(connection, "videos", where, [video])
        insert_rows(connection, "chunk_texts", texts, skip_existing=True)
        rows = [
            {
                "channel": CHANNEL,
                "chunk_id": row["chunk_id"],
                "video_id": video_id,
                "position": at,
                "start_seconds": 30.0 * at,
                "end_seconds": 30.0 * at + 30,
                "text_sha256": row["text_sha256"],
                "spoken_text": row["text"],
                "invented": row["text"].startswith("INVENTED"),
            }
            for at, row in enumerate(texts)
        ]
        insert_rows(connection, "chunks", rows)
        done = {
            "stage": "chunks",
            "key": video_key(CHANNEL, video_id),
            "channel": CHANNEL,
            "input_hash": "in",
            "code_version": "1",
            "output_hash": fingerprint(list(chunks)),
            "state": "blocked" if blocked else "done",
            "reason": blocked,
        }
        replace_rows(connection, "stage_run", {"stage": "chunks", "key": done["key"]}, [done])


async def make_claims(database: Database, door: Door, settings: Settings) -> StageReport:
    return await run_stage(database, claims_stage(database, door, CHANNEL, settings))


async def make_threads_of(database: Database, settings: Settings) -> StageReport:
    return await run_stage(database, threads_stage(database, CHANNEL, settings))


def rows(database: Database, query: str, **values: Any) -> list[Any]:
    with database.begin() as connection:
        return list(connection.execute(text(query), {"channel": CHANNEL, **values}).mappings())
