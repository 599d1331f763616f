"""Events as claims, and evidence as the judge reads it: the nearest lines, their dates as numbers too."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from answertrail_pipeline.gold.biographies.people import Person
from answertrail_pipeline.language.career_events import CareerEvent, Slot
from answertrail_pipeline.language.eras import find_era_dates
from answertrail_pipeline.language.partial_dates import parse_partial_date
from answertrail_pipeline.language.tokens import base_language, tokens
from answertrail_pipeline.tasks.judge import JudgedClaim

MAX_LINES = 3
"""Lines of the archive that an event is judged against."""
_LINE = re.compile(r"[\n;；。〇○]|(?<=[^\W\d_]{4})\.\s+(?=[A-ZÀ-ÞΑ-ΩА-Я])")
_LONG = 300
_PART = re.compile(r"[、,]")
_DATE_IN_WORDS = re.compile(
    r"(?:\d{1,2}(?:er|st|nd|rd|th)? )?(?:de )?[^\W\d_]{3,12}\.? (?:de )?(?:\d{1,2}, )?\d{4}\b"
)


@dataclass(frozen=True)
class ArchivedText:
    """A chunk of a run's archive."""

    chunk_id: str
    document_id: str
    title: str
    language: str
    text: str


@dataclass(frozen=True)
class Line:
    """One line of an archive, with its dates as numbers too."""

    chunk_id: str
    document_id: str
    title: str
    language: str
    place: int
    text: str


def event_claim(person: Person, event: CareerEvent, *, with_year: bool = True) -> JudgedClaim:
    """Return an event as a claim: who, title, organization and year of start."""
    since = f", from {event.start.year}" if with_year and event.start else ""
    return JudgedClaim(text=f"{named(person, event.lang)}: {_what(event)}{since}", kind="event")


def slot_claim(person: Person, event: CareerEvent, slot: Slot) -> JudgedClaim | None:
    """Return what an event says of one slot as a claim; None where it says nothing."""
    who, title = named(person, event.lang), event.title or event.role
    if slot == "title":
        return JudgedClaim(text=f"{who}: {event.title}", kind="event") if event.title else None
    if slot == "start":
        month = event.start.month_text if event.start else None
        return JudgedClaim(text=f"{who}: {title}, from {month}", kind="event") if month else None
    if event.end.state == "ongoing":
        return JudgedClaim(text=f"{who}: {title}, since {event.start or '?'}, still in office", kind="event")
    month = event.end.date.month_text if event.end.date else None
    return JudgedClaim(text=f"{who}: {title}, until {month}", kind="event") if month else None


def event_text(person: Person, event: CareerEvent) -> str:
    """Return all that an event says as a text that another event is judged against."""
    start, end = event.start or "unknown", event.end
    return f"{person.name} ({person.country}): {_what(event)}. From {start} to {end}."


def named(person: Person, language: str) -> str:
    """Return a person's name in a language, or the main one."""
    wanted = base_language(language)
    return next((name for name, lang in person.names if lang == wanted), person.name)


def archive_lines(archive: Iterable[ArchivedText]) -> list[Line]:
    """Return the lines of an archive, long ones cut at commas, in the order of the archive."""
    lines: list[Line] = []
    for chunk in archive:
        numbered = with_numbers(chunk.text, chunk.language)
        parts = (part.strip() for line in _LINE.split(numbered) for part in _cut(line))
        lines += [
            Line(chunk.chunk_id, chunk.document_id, chunk.title, chunk.language, place, part)
            for place, part in enumerate(part for part in parts if part)
        ]
    return lines


def nearest(event: CareerEvent, lines: Sequence[Line]) -> list[Line]:
    """Return the lines that share the most with an event, in the order of the archive; ties by chunk and place."""
    year = str(event.start.year) if event.start else ""
    wanted = f"{event.title or event.role} {event.organization} {year}"
    scored = []
    for line in lines:
        language = base_language(line.language)
        words = set(tokens(wanted, language))
        shared = len(words & set(tokens(line.text, language)))
        if shared:
            dated = bool(year) and year in line.text
            scored.append((-(shared / max(1, len(words))) - dated, line.chunk_id, line.place, line))
    best = [line for *_, line in sorted(scored, key=lambda each: each[:3])[:MAX_LINES]]
    return [line for line in lines if line in best]


def evidence_text(lines: Iterable[Line]) -> str:
    """Return lines as one text, each under the title of its document."""
    parts: list[str] = []
    title = None
    for line in lines:
        if line.title != title:
            parts.append(line.title)
            title = line.title
        parts.append(line.text)
    return "\n".join(parts)


def with_numbers(text: str, language: str) -> str:
    """Return a text with numbers behind its dates: `平成28年 (2016)`, `mars 2010 (2010-03)`.

    An elided era is told by the dates before it: call this before a text is cut.
    """
    if base_language(language) == "ja":
        eras = find_era_dates(text)
        return _annotated(
            text,
            ((found.end, f"{found.date} to {found.until}" if found.until else str(found.date)) for found in eras),
        )
    found = ((match.end(), parse_partial_date(match.group(), language)) for match in _DATE_IN_WORDS.finditer(text))
    return _annotated(text, ((end, str(date)) for end, date in found if date and date.month))


def _annotated(text: str, dates: Iterable[tuple[int, str]]) -> str:
    made, at = [], 0
    for end, date in dates:
        made.append(f"{text[at:end]} ({date})")
        at = end
    return "".join([*made, text[at:]])


def _cut(line: str) -> list[str]:
    return _PART.split(line) if len(line) > _LONG else [line]


def _what(event: CareerEvent) -> str:
    title = event.title or event.role
    return title if event.organization in ("", title) else f"{title}, {event.organization}"
