"""Snapshots of a channel: what exactly was searched, by a hash and a short number."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import text

from answertrail_pipeline.errors import UnitError, UserError
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


def snapshot(database: Database, channel: str, until: date | None = None) -> Corpus:
    """Return the snapshot of a channel as it is now, numbering it if it is new.

    Args:
        until: cut the corpus after this day (UTC); the same content as before a later upload, so the same number.

    Raises:
        UserError: the channel has no chunks, or none up to that day.
    """
    with database.begin() as connection:
        connection.execute(
            text("select pg_advisory_xact_lock(hashtext('corpora'), hashtext(:channel))"), {"channel": channel}
        )
        given = {"channel": channel, "until": until}
        row = connection.execute(text(read_sql("queries/snapshot.sql")), given).one_or_none()
        if row is None:
            upto = f" up to {until}" if until else ""
            raise UserError(f"The channel `{channel}` has no chunks{upto}.", "Run `answertrail ingest` first.")
        return Corpus(channel, row.corpus_id, row.number, row.videos, row.chunks, row.last_date)


def cut_of(database: Database, channel: str, corpus_id: str) -> date | None:
    """Return the day after which today's corpus must be cut to be a given one; None where it needs no cut.

    A corpus that only grew since still holds what it was: everything up to its last day.

    Raises:
        UnitError: `run_is_past`: no cut of today's corpus is that one: a video of its time changed, came or went.
    """
    now = snapshot(database, channel)
    if now.corpus_id == corpus_id:
        return None
    with database.begin() as connection:
        last: date | None = connection.execute(
            text("select last_date from corpora where channel = :channel and corpus_id = :corpus_id"),
            {"channel": channel, "corpus_id": corpus_id},
        ).scalar()
    if last is None or last >= now.last_date or snapshot(database, channel, last).corpus_id != corpus_id:
        raise UnitError("run_is_past", f"The corpus is c{now.number} now; evaluate again to make a run over it.")
    return last
