"""What the corpus holds and what it could not read: for `answertrail ingest`, `status` and asset metadata."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from answertrail_pipeline.settings import ChannelSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql


@dataclass(frozen=True)
class CaptionFileRow:
    """One caption file or track: what was kept of it, what was lost and why."""

    video_id: str
    file: str
    format: str | None
    language: str | None
    automatic: bool
    encoding: str | None
    encoding_guessed: bool
    cues_kept: int
    cues_lost: int
    losses: Sequence[str]
    used: bool


@dataclass(frozen=True)
class QuarantineRow:
    """One row of the quarantine."""

    file: str
    video_id: str | None
    code: str
    message: str
    cues_kept: int
    cues_lost: int
    seen_at: datetime


@dataclass(frozen=True)
class ChannelFigures:
    """How a channel stands.

    Attributes:
        videos: counts by state: `active`, `retired`, `quarantined` (it was good once), `never_readable`.
        chunks: of active videos.
        files: caption files and tracks that were read.
        unreadable_files: those among them that could not be used at all.
        unreadable_share: of the listed videos, the share in quarantine; None where there is none.
        passed: whether that share is within the channel's `max_unreadable_share`.
    """

    videos: Mapping[str, int]
    chunks: int
    words: int
    files: int
    unreadable_files: int
    cues_kept: int
    cues_lost: int
    guessed_encodings: int
    date_conflicts: int
    invented_chunks: int
    marks: int
    quarantine: Sequence[QuarantineRow]
    unreadable_share: float | None
    passed: bool


def channel_figures(database: Database, channel: str, settings: ChannelSettings) -> ChannelFigures:
    """Return how a channel stands: the figures of `answertrail status` and of the check `captions_readable`."""
    with database.begin() as connection:
        row = connection.execute(text(read_sql("queries/channel_figures.sql")), {"channel": channel}).one()
    quarantine = quarantine_rows(database, channel)
    videos = {
        "active": row.active,
        "retired": row.retired,
        "quarantined": row.quarantined,
        "never_readable": row.never_readable,
    }
    listed = row.active + row.quarantined + row.never_readable
    share = (row.quarantined + row.never_readable) / listed if listed else None
    return ChannelFigures(
        videos,
        row.chunks,
        row.words,
        row.files,
        row.unreadable_files,
        row.cues_kept,
        row.cues_lost,
        row.guessed_encodings,
        row.date_conflicts,
        row.invented_chunks,
        row.marks,
        quarantine,
        share,
        share is not None and share <= settings.max_unreadable_share,
    )


def quarantine_rows(database: Database, channel: str, video_id: str | None = None) -> list[QuarantineRow]:
    """Return the quarantine of a channel, or of one video, ordered by file."""
    with database.begin() as connection:
        rows = connection.execute(
            text("select file, video_id, code, message, cues_kept, cues_lost, seen_at from quarantine"
                 " where channel = :channel and (cast(:video_id as text) is null or video_id = :video_id)"
                 " order by file, code"),
            {"channel": channel, "video_id": video_id},
        )  # fmt: skip
        return [QuarantineRow(**row._mapping) for row in rows]


def caption_files(database: Database, channel: str) -> list[CaptionFileRow]:
    """Return every caption file and track of a channel with its cues kept and lost, ordered by file."""
    with database.begin() as connection:
        rows = connection.execute(
            text("select video_id, file, format, language, automatic, encoding, encoding_guessed, cues_kept,"
                 " cues_lost, losses, used from caption_files where channel = :channel order by file, video_id"),
            {"channel": channel},
        )  # fmt: skip
        return [CaptionFileRow(**row._mapping) for row in rows]
