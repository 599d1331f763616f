"""FactNet's words: rows of runs and of the base, joined rows, clusters, counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Protocol

from answertrail_pipeline.language.career_events import CareerEvent, Slot

ALL_SLOTS: frozenset[Slot] = frozenset(("start", "end", "title"))
BASE = "base"
"""Origin of the rows of the frozen base."""


class Match(Enum):
    """Whether two events of one person are the same one."""

    YES = "yes"
    NO = "no"
    UNSURE = "unsure"


class Matcher(Protocol):
    """Compares two events of one person; symmetric, and a function of the two events alone."""

    @property
    def version(self) -> str:
        """Fingerprint of everything that decides."""

    def match(self, a: CareerEvent, b: CareerEvent, *, one_source: bool = False) -> Match:
        """Say whether they are the same event.

        Args:
            one_source: both come from one list, which would not tell one event in two different ways.
        """


@dataclass(frozen=True)
class Row:
    """One event as a run coded it, or as a source of the base has it.

    Attributes:
        supported: the run's own archive supports role, organization and start; always so for the base.
        covered: the reference text tells it already.
        slots: which of its start month, end month and title are supported by themselves.
        sources: who attests it (sites or data sets): what a vote on a slot is counted by.
    """

    event: CareerEvent
    supported: bool = True
    covered: bool = False
    slots: frozenset[Slot] = ALL_SLOTS
    sources: frozenset[str] = frozenset((BASE,))

    @cached_property
    def order(self) -> tuple[object, ...]:
        """Sorts rows by content alone."""
        return (
            self.event.content_hash, self.supported, self.covered, sorted(self.slots), sorted(self.sources)
        )  # fmt: skip


@dataclass(frozen=True)
class Joined:
    """Rows of one origin that tell one event.

    Attributes:
        origin: a run's key, or `base`.
        rows: sorted by content.
        event: what they say together: the finer dates, spans without a gap as one.
    """

    origin: str
    rows: tuple[Row, ...]
    event: CareerEvent

    @property
    def supported(self) -> bool:
        """Whether any of its rows is."""
        return any(row.supported for row in self.rows)

    @property
    def covered(self) -> bool:
        """Whether the reference tells it, in any of its rows."""
        return any(row.covered for row in self.rows)

    @cached_property
    def order(self) -> tuple[object, ...]:
        """Sorts by content first, then by origin."""
        return tuple(row.order for row in self.rows), self.origin


@dataclass(frozen=True)
class Truth:
    """What is right for the slots of one event; empty where its truth defines none.

    Attributes:
        starts: right start months, such as `2010-03`.
        ends: right end months, or `ongoing`.
        titles: every attested title, as `exact_title` spells it.
    """

    starts: frozenset[str]
    ends: frozenset[str]
    titles: frozenset[str]


@dataclass(frozen=True)
class Cluster:
    """One event of the truth: the rows of the base and of runs that tell it."""

    members: tuple[Joined, ...]
    truth: Truth

    @property
    def in_base(self) -> bool:
        """Whether the frozen base has it."""
        return any(member.origin == BASE for member in self.members)

    @property
    def covered(self) -> bool:
        """Whether the reference tells it."""
        return any(member.covered for member in self.members)

    @property
    def found_by(self) -> frozenset[str]:
        """The runs whose supported rows are in it."""
        return frozenset(member.origin for member in self.members if member.origin != BASE)

    @cached_property
    def event(self) -> CareerEvent:
        """The event that stands for it: the base's, else the first by content."""
        return min(self.members, key=lambda member: (member.origin != BASE, member.order)).event


@dataclass(frozen=True)
class Pool:
    """The truth of one person, G': base and supported finds of a declared set of runs.

    Attributes:
        clusters: not told by the reference, sorted by content.
        covered: those of the base that the reference tells (W).
        runs: the joined rows of every run of the set.
    """

    clusters: tuple[Cluster, ...]
    covered: tuple[Cluster, ...]
    runs: Mapping[str, tuple[Joined, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Counts:
    """True positives, false positives and false negatives, and the ratios made of them."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float | None:
        """tp / (tp + fp); None without predictions."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else None

    @property
    def recall(self) -> float | None:
        """tp / (tp + fn); None without truth."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else None

    @property
    def f1(self) -> float | None:
        """2 tp / (2 tp + fp + fn); None without predictions and truth."""
        whole = 2 * self.tp + self.fp + self.fn
        return 2 * self.tp / whole if whole else None
