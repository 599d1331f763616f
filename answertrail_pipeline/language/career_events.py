"""A career event: who one was, where, from when to when, and under which attested titles."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.language.partial_dates import End, PartialDate, parse_end, parse_partial_date

Slot = Literal["start", "end", "title"]
"""What of an event is right or wrong by itself: start month, end month, exact title."""
EventPair = tuple[str, str]
"""The content hashes of two events, sorted: what a same_event verdict is kept under."""


@dataclass(frozen=True)
class CareerEvent:
    """One office or job of a person.

    Attributes:
        start: None where the source does not say.
        titles: as sources write them, each with its language (`und` where unknown), in order.
        lang: language of `role` and `organization`.
    """

    role: str
    organization: str
    start: PartialDate | None = None
    end: End = field(default_factory=End)
    titles: tuple[tuple[str, str], ...] = ()
    lang: str = "und"

    @property
    def title(self) -> str:
        """The first attested title; empty where there is none."""
        return self.titles[0][0] if self.titles else ""

    @cached_property
    def content_hash(self) -> str:
        """Fingerprint of all that the event says: its name in caches and ties."""
        return fingerprint(self.as_json())

    def as_json(self) -> dict[str, Any]:
        """Return the event as a JSON object; `event_from_json` reads it back."""
        return {
            "role": self.role,
            "organization": self.organization,
            "start": str(self.start) if self.start else None,
            "end": str(self.end),
            "titles": [list(title) for title in self.titles],
            "lang": self.lang,
        }

    def sentence(self, person: str) -> str:
        """Return the event as a claim about a person, with role, organization and start."""
        what = self.title or self.role
        place = f" at {self.organization}" if self.organization and self.organization != what else ""
        since = f", starting in {self.start}" if self.start else ""
        return f"{person} was {what}{place}{since}."


def event_from_json(given: Mapping[str, Any]) -> CareerEvent:
    """Return the event of a JSON object with role, organization, start, end and `title` or `titles`.

    Dates are strings in any form that `parse_partial_date` reads; `end` may be `ongoing`, `unknown` or null.

    Raises:
        ValueError: role or organization is missing, or the start cannot be read.
    """
    role, organization = str(given.get("role") or "").strip(), str(given.get("organization") or "").strip()
    if not role or not organization:
        raise ValueError("an event needs a role and an organization")
    lang = str(given.get("lang") or "und")
    language = None if lang == "und" else lang
    written = str(given.get("start") or "").strip()
    start = parse_partial_date(written, language) if written else None
    if (
        written
        and start is None
        and parse_end(written).date is None
        and written.casefold() not in ("unknown", "na")
    ):
        raise ValueError(f"start {written!r} is no date")
    return CareerEvent(
        role, organization, start, parse_end(given.get("end"), language), _titles(given, lang), lang
    )


def _titles(given: Mapping[str, Any], lang: str) -> tuple[tuple[str, str], ...]:
    listed = given.get("titles") or ([given["title"]] if given.get("title") else [])
    titles = [(each, lang) if isinstance(each, str) else (str(each[0]), str(each[1])) for each in listed]
    return tuple(dict.fromkeys((text.strip(), tongue) for text, tongue in titles if text.strip()))
