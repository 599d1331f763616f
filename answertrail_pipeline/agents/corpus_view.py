"""What agents may know of a corpus: its dates, its chunks by id, its whole transcript."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from sqlalchemy import Row, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.retrieval.types import Hit
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql


@dataclass(frozen=True)
class CorpusExtent:
    """How much there is, and from when to when; dates are None where there is nothing."""

    chunks: int
    first_date: date | None
    last_date: date | None


@dataclass(frozen=True)
class CorpusView:
    """One channel's chunks, up to a day where the corpus is cut after it."""

    database: Database
    channel: str
    until: date | None = None

    @cached_property
    def extent(self) -> CorpusExtent:
        """Number of chunks and the dates of the first and last video.

        Raises:
            UserError: there are no chunks: an agent that finds nothing then says nothing about the agent.
        """
        with self.database.begin() as connection:
            row = connection.execute(text(read_sql("queries/corpus_extent.sql")), self._place).one()
        if not row.chunks:
            raise UserError(
                f"0 chunks in the index of channel `{self.channel}`.",
                "Ingest its captions first: `answertrail run`.",
            )
        return CorpusExtent(row.chunks, row.first_date, row.last_date)

    def chunks(self, chunk_ids: Collection[str]) -> dict[str, Hit]:
        """Return those of the ids that are chunks of the corpus."""
        if not chunk_ids:
            return {}
        with self.database.begin() as connection:
            rows = connection.execute(
                text(read_sql("queries/chunks_by_id.sql")),
                {**self._place, "chunk_ids": sorted(set(chunk_ids))},
            )
            return {row.chunk_id: _hit(row) for row in rows}

    def transcript(self) -> list[list[Hit]]:
        """Return the chunks of each active video in order, videos by date."""
        videos: dict[str, list[Hit]] = {}
        with self.database.begin() as connection:
            for row in connection.execute(text(read_sql("queries/transcript.sql")), self._place):
                videos.setdefault(row.video_id, []).append(_hit(row))
        return list(videos.values())

    @property
    def _place(self) -> dict[str, Any]:
        return {"channel": self.channel, "until": self.until}


def _hit(row: Row[Any]) -> Hit:
    return Hit(
        chunk_id=row.chunk_id,
        text_sha256=row.text_sha256,
        video_id=row.video_id,
        title=row.title,
        published_at=row.published_at,
        start_seconds=row.start_seconds,
        text=row.spoken_text,
        score=0.0,
    )
