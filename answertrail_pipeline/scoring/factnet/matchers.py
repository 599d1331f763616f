"""Matching by keys given as mappings, and the judge's word on what a matcher is unsure of."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.language.career_events import CareerEvent, EventPair
from answertrail_pipeline.language.scripts import SCRIPTS_VERSION, plain_spelling
from answertrail_pipeline.scoring.factnet.types import Match, Matcher


class KeyMatcher:
    """Same event: equal keys of role and organization, and equal years of start, both known.

    A text without an entry is its own key, as `plain_spelling` writes it.

    Args:
        roles: by spelling, the key.
        organizations: likewise.
        year_tolerance: 0 in every headline; 1 for the sensitivity row.
    """

    def __init__(
        self,
        roles: Mapping[str, str] | None = None,
        organizations: Mapping[str, str] | None = None,
        year_tolerance: int = 0,
    ) -> None:
        self._roles = {plain_spelling(text): key for text, key in (roles or {}).items()}
        self._organizations = {plain_spelling(text): key for text, key in (organizations or {}).items()}
        self._years = year_tolerance

    @property
    def version(self) -> str:
        """Fingerprint of the keys."""
        return fingerprint("keys", SCRIPTS_VERSION, self._roles, self._organizations, self._years)

    def match(self, a: CareerEvent, b: CareerEvent, *, one_source: bool = False) -> Match:
        """Compare keys and years."""
        if not same_year(a, b, self._years):
            return Match.NO
        same_role = _key(self._roles, a.role) == _key(self._roles, b.role)
        same_place = _key(self._organizations, a.organization) == _key(self._organizations, b.organization)
        return Match.YES if same_role and same_place else Match.NO


@dataclass(frozen=True)
class JudgedMatcher:
    """A matcher whose `unsure` is decided by stored verdicts; without a verdict two events are not joined.

    Attributes:
        same: by sorted pair of content hashes, the judge's word.
        judge_id: whose word.
    """

    matcher: Matcher
    same: Mapping[EventPair, bool]
    judge_id: str = "none"

    @property
    def version(self) -> str:
        """Fingerprint of the matcher; the judge is named beside it in a pool's id."""
        return self.matcher.version

    def match(self, a: CareerEvent, b: CareerEvent, *, one_source: bool = False) -> Match:
        """Compare, asking the verdicts where unsure."""
        found = self.matcher.match(a, b, one_source=one_source)
        if found is not Match.UNSURE:
            return found
        return Match.YES if self.same.get(event_pair(a, b), False) else Match.NO


def unsure_pairs(
    events: Iterable[CareerEvent], matcher: Matcher
) -> dict[EventPair, tuple[CareerEvent, CareerEvent]]:
    """Return the pairs of a person's events that the judge must decide, each once, in the order of the pair."""
    distinct = sorted({event.content_hash: event for event in events}.items())
    return {
        event_pair(a, b): (a, b)
        for (_, a), (_, b) in combinations(distinct, 2)
        if matcher.match(a, b) is Match.UNSURE
    }


def event_pair(a: CareerEvent, b: CareerEvent) -> EventPair:
    """Return the name of a pair, the same in both orders."""
    first, second = sorted((a.content_hash, b.content_hash))
    return first, second


def same_year(a: CareerEvent, b: CareerEvent, tolerance: int = 0) -> bool:
    """Return whether both starts are known and their years equal, within the tolerance."""
    return a.start is not None and b.start is not None and abs(a.start.year - b.start.year) <= tolerance


def _key(keys: Mapping[str, str], text: str) -> str:
    plain = plain_spelling(text)
    return keys.get(plain, plain)
