"""Snapshots of a channel: what exactly was searched, by a hash and a short number."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql


@dataclass(frozen=True)
class Corpus:
    """A snapshot of a channel.

    Attributes:
        corpus_id: hash over the active chunks' ids and texts, and their videos' dates and titles.
        number: shown as `c1`, `c2`, ...; the same content has the same number.
        last_date: day of the newest video.
    """

    channel: str
    corpus_id: str
    number: int
    videos: int
    chunks: int
    last_date: date


def snapshot(database: Database, channel: str) -> Corpus:
    """Return the snapshot of a channel as it is now, numbering it if it is new.

    Raises:
        UserError: the channel has no chunks.
    """
    with database.begin() as connection:
        connection.execute(
            text("select pg_advisory_xact_lock(hashtext('corpora'), hashtext(:channel))"), {"channel": channel}
        )
        row = connection.execute(text(read_sql("queries/snapshot.sql")), {"channel": channel}).one_or_none()
        if row is None:
            raise UserError(f"The channel `{channel}` has no chunks.", "Run `answertrail ingest` first.")
        return Corpus(channel, row.corpus_id, row.number, row.videos, row.chunks, row.last_date)
