"""The stage `chunks`: one listed video to rows, in one transaction with its fingerprint."""

from collections.abc import Mapping
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.corpus.build import Built, build, output_hash
from answertrail_pipeline.corpus.listing import Listed, Listing
from answertrail_pipeline.corpus.types import Video
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.hashing import fingerprint, text_sha256
from answertrail_pipeline.settings import ChannelSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import video_key
from answertrail_pipeline.store.rows import insert_rows, replace_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Gate, Stage, Unit

STAGE = "chunks"
CODE_VERSION = "1"
PARAMETERS = (
    "language",
    "window_seconds",
    "long_cue_seconds",
    "max_lost_share",
    "document_window_words",
    "document_window_characters",
)
"""The settings that decide what a video's chunks are."""


def chunks_stage(database: Database, channel: str, settings: ChannelSettings, listing: Listing) -> Stage:
    """Return the stage that turns each listed video into dated chunks, or into rows of the quarantine.

    Args:
        database: where the rows go.
        channel: its name.
        settings: its windows, language and limits; part of every unit's fingerprint.
        listing: what `sources.list_videos` found.
    """
    videos = {video_key(channel, video.video_id): video for video in listing.videos}
    parameters = settings.model_dump(mode="json", include=set(PARAMETERS))

    def units() -> list[Unit]:
        return [Unit(key, fingerprint(video.source_hash, parameters)) for key, video in sorted(videos.items())]

    async def compute(unit: Unit) -> Computed:
        return _computed(channel, videos[unit.key], settings)

    return Stage(STAGE, channel, CODE_VERSION, units, compute)


def _computed(channel: str, listed: Listed, settings: ChannelSettings) -> Computed:
    material = listed.load()
    if material.source_hash != listed.source_hash:
        raise UnitError(
            "changed_while_reading", "The source changed after it was listed; run again to read it anew."
        )
    built = build(listed.video_id, material, settings)

    def write(connection: Connection) -> None:
        _write(connection, channel, listed.video_id, built)

    return Computed(output_hash(built), write, counts=_counts(built), gates=_gates(built))


def _counts(built: Built) -> dict[str, int]:
    return {
        "files": len(built.files),
        "quarantined": len(built.quarantine),
        "cues_kept": sum(file.cues_kept for file in built.files if file.used),
        "cues_lost": sum(file.cues_lost for file in built.files if file.used),
        "words": built.words_in,
        "chunks": len(built.chunks),
        "invented_chunks": sum(chunk.invented for chunk in built.chunks),
        "marks": sum(chunk.marks for chunk in built.chunks),
        "date_conflicts": int(built.date_conflict is not None),
        "guessed_encodings": sum(file.used and file.encoding_guessed for file in built.files),
    }


def _gates(built: Built) -> list[Gate]:
    plain = not any(sign in built.title_as_found for sign in "<>\n\r\t")
    return [
        Gate(
            "captions_readable",
            built.blocked is None,
            built.blocked or "a track with a date was read",
            blocking=True,
            numbers={"files": len(built.files), "quarantined": len(built.quarantine)},
        ),
        Gate(
            "words_covered",
            built.words_kept,
            "every word of every cue is in exactly one chunk",
            numbers={"words": built.words_in, "chunks": len(built.chunks)},
        ),
        Gate(
            "date_agrees",
            built.date_conflict is None,
            f"another field names another day: {built.date_conflict}" if built.date_conflict else "dates agree",
        ),
        Gate(
            "title_plain",
            plain,
            "the title is one line of plain text"
            if plain
            else f"line breaks or markup in the title, kept as text on one line: {built.title_as_found[:80]!r}",
        ),
    ]


def _write(connection: Connection, channel: str, video_id: str, built: Built) -> None:
    mine = {"channel": channel, "video_id": video_id}
    replace_rows(connection, "caption_files", mine, [_file_row(mine, file) for file in built.files])
    replace_rows(
        connection,
        "quarantine",
        {**mine, "found_in": "reading"},
        [{**mine, "found_in": "reading", **vars(row)} for row in built.quarantine],
    )
    if built.video is None:
        connection.execute(
            text("update videos set state = 'quarantined' where channel = :channel and video_id = :video_id"), mine
        )
        return
    connection.execute(text(read_sql("queries/store_video.sql")), _video_row(channel, built.video, built))
    texts = [{"chunk_id": chunk.chunk_id, "text_sha256": text_sha256(chunk.text), "text": chunk.text}
             for chunk in built.chunks]  # fmt: skip
    insert_rows(connection, "chunk_texts", [{"channel": channel, **row} for row in texts], skip_existing=True)
    replace_rows(
        connection,
        "chunks",
        mine,
        [
            {
                **mine,
                "chunk_id": chunk.chunk_id,
                "position": chunk.position,
                "start_seconds": chunk.start_seconds,
                "end_seconds": chunk.end_seconds,
                "text_sha256": row["text_sha256"],
                "spoken_text": chunk.spoken_text,
                "invented": chunk.invented,
                "marks": chunk.marks,
            }
            for chunk, row in zip(built.chunks, texts, strict=True)
        ],
    )


def _file_row(mine: Mapping[str, Any], file: Any) -> dict[str, Any]:
    return {**mine, **vars(file), "losses": Jsonb(list(file.losses))}


def _video_row(channel: str, video: Video, built: Built) -> dict[str, Any]:
    return {
        "channel": channel,
        **vars(video),
        "track": Jsonb(video.track),
        "content_sha256": built.content_sha256,
        "date_conflict": built.date_conflict,
    }
