"""The lexicon's matcher, and the finer relation of two events that labelled pairs are checked by."""

from collections.abc import Iterable
from typing import Literal

from answertrail_pipeline.gold.biographies.lexicon import Lexicon, shipped_lexicon
from answertrail_pipeline.gold.biographies.posts import compare
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.language.career_events import CareerEvent
from answertrail_pipeline.language.partial_dates import PartialDate
from answertrail_pipeline.scoring.factnet.matchers import same_year
from answertrail_pipeline.scoring.factnet.types import Match

MATCHER_VERSION = "2"
"""Raised by hand when the rules of `compare` or of this module change an answer."""
Relation = Literal["same", "continuation", "part_of_time", "part_of_composite", "different", "unsure"]
JOINED: frozenset[Relation] = frozenset(("same", "continuation", "part_of_time"))
"""Relations of two rows that tell one tenure."""


class LexiconMatcher:
    """Same event: the lexicon reads both as one post, and the years of start are equal and known.

    Posts that only overlap must begin in the same month, as far as both months are known.

    Args:
        year_tolerance: 0 in every headline; 1 for the sensitivity row.
        country: of the person: its name tells no two posts apart.
    """

    def __init__(self, lexicon: Lexicon | None = None, year_tolerance: int = 0, country: str = "") -> None:
        self.lexicon = lexicon or shipped_lexicon()
        self._years = year_tolerance
        self._country = country

    @property
    def version(self) -> str:
        """Fingerprint of the lexicon and of the rules; the country belongs to the person."""
        return fingerprint("lexicon matcher", MATCHER_VERSION, self.lexicon.version, self._years)

    def match(self, a: CareerEvent, b: CareerEvent, *, one_source: bool = False) -> Match:
        """Compare posts and years."""
        if not same_year(a, b, self._years):
            return Match.NO
        found = compare(a, b, self.lexicon, one_source=one_source, country=self._country)
        if found == "unsure":
            return Match.UNSURE
        return Match.YES if found == "same" or (found == "alike" and _begin_together(a, b)) else Match.NO


def relation(
    a: CareerEvent,
    b: CareerEvent,
    lexicon: Lexicon,
    *,
    one_source: bool = False,
    others: Iterable[CareerEvent] = (),
) -> Relation:
    """Return how two events of one person stand to each other; symmetric.

    `same`: one post, starting in the same month as far as both are known, ending likewise. `part_of_time`: one
    lies in the other. `continuation`: one begins in the month in which the other ends.

    Args:
        others: events of the same person. An open end that is also another row's continuation of the closed one
            lasts longer than the closed one.
    """
    found = compare(a, b, lexicon, one_source=one_source)
    if found == "composite":
        return "part_of_composite" if same_year(a, b) else "different"
    if found == "unsure":
        return "unsure" if same_year(a, b) else "different"
    if found == "different" or a.start is None or b.start is None:
        return "different"
    if found == "alike" and not _agree(a.start, b.start):
        return "different"
    return _in_time(a, b, a.start, b.start, lexicon, others)


def _in_time(
    a: CareerEvent, b: CareerEvent, start_a: PartialDate, start_b: PartialDate, lexicon: Lexicon,
    others: Iterable[CareerEvent],
) -> Relation:  # fmt: skip
    first, second = (a, b) if start_a.order <= start_b.order else (b, a)
    if _agree(start_a, start_b):
        return "same" if _ends_agree(a, b, lexicon, others) else "part_of_time"
    if first.end.date and second.start and _agree(first.end.date, second.start):
        return "continuation"
    ended = first.end.date
    if second.start and (first.end.state == "ongoing" or (ended and ended.order > second.start.order)):
        return "part_of_time"
    return "different"


def _begin_together(a: CareerEvent, b: CareerEvent) -> bool:
    return (
        a.start is not None and b.start is not None and (a.start.year != b.start.year or _agree(a.start, b.start))
    )


def _agree(one: PartialDate, other: PartialDate) -> bool:
    """Whether two dates are equal as far as both are known, by month."""
    if one.year != other.year:
        return False
    return one.month is None or other.month is None or one.month == other.month


def _ends_agree(a: CareerEvent, b: CareerEvent, lexicon: Lexicon, others: Iterable[CareerEvent]) -> bool:
    if a.end.date and b.end.date:
        return _agree(a.end.date, b.end.date)
    if not a.end.date and not b.end.date:
        return True
    closed = a if a.end.date else b
    return not any(_goes_on(closed, other, lexicon) for other in others if other not in (a, b))


def _goes_on(closed: CareerEvent, other: CareerEvent, lexicon: Lexicon) -> bool:
    """Whether another row of the same list takes up the closed one in the month in which it ends."""
    if (
        closed.end.date is None
        or closed.end.date.month is None
        or other.start is None
        or other.start.month is None
    ):
        return False
    if not _agree(closed.end.date, other.start) or _agree(closed.start, other.start):  # type: ignore[arg-type]
        return False
    return compare(closed, other, lexicon, one_source=True) == "same"
