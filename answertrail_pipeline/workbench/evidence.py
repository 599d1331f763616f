"""What a person decides by: chunks with the claim's words marked, dates on a line, links into the video."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, text

from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.language.words import find_words
from answertrail_pipeline.store.shipped import read_sql

Segments = tuple[tuple[str, bool], ...]
"""A text in pieces, each with whether it is marked."""


@dataclass(frozen=True)
class Passage:
    """A chunk beside the item that it supports. `link` opens the video at its second; None without an address."""

    chunk_id: str
    video_id: str
    title: str
    day: date
    clock: str
    link: str | None
    segments: Segments


@dataclass(frozen=True)
class Dot:
    """A date on the line; `x` is its place in percent."""

    x: float
    day: date
    label: str


@dataclass(frozen=True)
class TimeLine:
    """Dates between the first and the last day of the line, and the stretches that windows cover."""

    first: date
    last: date
    dots: tuple[Dot, ...]
    spans: tuple[tuple[float, float, str], ...] = ()


def read_passages(
    connection: Connection, channel: str, chunk_ids: Iterable[str], claims: Iterable[str], language: str
) -> list[Passage]:
    """Return chunks in order of time, with the words that the claims have too marked."""
    rows = connection.execute(
        text(read_sql("queries/workbench/evidence.sql")),
        {"channel": channel, "chunk_ids": sorted(set(chunk_ids))},
    )
    said = frozenset(token for claim in claims for token in tokens(claim, language))
    return [
        Passage(
            row.chunk_id,
            row.video_id,
            row.title,
            row.day,
            clock(row.start_seconds),
            second_link(row.url, row.start_seconds) if row.kind == "video" else second_link(row.url, None),
            mark(row.text, said, language),
        )
        for row in rows
    ]


def mark(words: str, said: frozenset[str], language: str) -> Segments:
    """Cut a text into pieces; words with a token among `said` are marked, joined where only space is between."""
    spans: list[tuple[int, int]] = []
    plain = _plain(words)
    for word in find_words(words):
        if said.isdisjoint(tokens(word.text, language)):
            continue
        if spans and not plain[spans[-1][1] : word.start].strip():
            spans[-1] = (spans[-1][0], max(word.end, spans[-1][1]))
        else:
            spans.append((word.start, word.end))
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in spans:
        pieces += [(plain[at:start], False), (plain[start:end], True)]
        at = end
    return tuple(piece for piece in (*pieces, (plain[at:], False)) if piece[0])


def _plain(words: str) -> str:
    """Return a text as `find_words` counts it."""
    import unicodedata

    return unicodedata.normalize("NFKC", words).replace("’", "'").replace("\u00ad", "")


def clock(seconds: float) -> str:
    """Return a place in a video as people write it: `1:02:03`, `4:05`."""
    hours, rest = divmod(int(seconds), 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"


def second_link(url: str | None, seconds: float | None) -> str | None:
    """Return the address that opens a video at a second; None for anything but a web address."""
    if not url or urlsplit(url).scheme not in ("http", "https"):
        return None
    if seconds is None:
        return url
    base, _, _ = url.partition("#")
    return f"{base}&t={int(seconds)}s" if "?" in base else f"{base}#t={int(seconds)}"


def time_line(
    dates: Sequence[tuple[date, str]], windows: Sequence[tuple[date | None, date | None, str]] = ()
) -> TimeLine | None:
    """Return dates and windows on one line; None for fewer than two days in all."""
    bounds = [day for window in windows for day in window[:2] if day and day not in (date.min, date.max)]
    days = [day for day, _ in dates] + bounds
    if len(set(days)) < 2:
        return None
    first, last = min(days), max(days)
    length = (last - first).days

    def place(day: date) -> float:
        return round(100 * (min(max(day, first), last) - first).days / length, 2)

    spans = tuple(
        (place(start), max(place(end) - place(start), 0.6), label)
        for start, end, label in windows
        if start and end
    )
    return TimeLine(first, last, tuple(Dot(place(day), day, label) for day, label in sorted(dates)), spans)


def run_query(connection: Connection, name: str, **values: Any) -> list[Mapping[str, Any]]:
    """Return the rows of a statement of `sql/queries/workbench`."""
    found = connection.execute(text(read_sql(f"queries/workbench/{name}.sql")), values)
    return [dict(row) for row in found.mappings()]
