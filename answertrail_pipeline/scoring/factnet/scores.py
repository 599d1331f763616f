"""Scores of one run on one person: one-to-one assignment, then events, attributes and slots counted."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from answertrail_pipeline.language.career_events import Slot
from answertrail_pipeline.language.scripts import exact_title
from answertrail_pipeline.scoring.factnet.joining import end_text, join_rows
from answertrail_pipeline.scoring.factnet.pools import build_pool, is_covered
from answertrail_pipeline.scoring.factnet.types import (
    Cluster,
    Counts,
    Joined,
    Match,
    Matcher,
    Pool,
    Row,
    Truth,
)

Scope = Literal["novel", "full"]
Level = Literal["event", "attribute", "slot"]
_BASE = 1000
"""Larger than any sum of slots: the assignment puts matched events first, then right attributes, then slots."""


class SlotOutcome(NamedTuple):
    """One slot of one matched event: what the truth allows, what the run said, whether that is right.

    Attributes:
        said: None where the run said nothing: a slot missed.
    """

    slot: Slot
    right: frozenset[str]
    said: str | None

    @property
    def is_right(self) -> bool:
        """Whether the run said a right value."""
        return self.said in self.right


@dataclass(frozen=True)
class Assigned:
    """One joined row of a run and the event of the truth that it was assigned to, if any."""

    joined: Joined
    cluster: Cluster | None
    slots: tuple[SlotOutcome, ...] = ()

    @property
    def all_right(self) -> bool:
        """Whether every slot that the truth defines is right."""
        return self.cluster is not None and all(slot.is_right for slot in self.slots)


@dataclass(frozen=True)
class PersonScore:
    """One run on one person against one truth.

    Attributes:
        duplicates: rows that told an event again: no credit and no penalty.
        covered: joined rows that the reference tells, left out in the scope `novel`.
        grounded: matched events that the run's own archive supports.
    """

    event: Counts
    attribute: Counts
    slot: Counts
    duplicates: int
    covered: int
    grounded: int
    truth: int
    assigned: tuple[Assigned, ...] = ()
    missed: tuple[Cluster, ...] = ()

    def counts(self, level: Level) -> Counts:
        """Return the counts of a level."""
        return {"event": self.event, "attribute": self.attribute, "slot": self.slot}[level]


def score_run(run: str, pool: Pool, matcher: Matcher, scope: Scope = "novel") -> PersonScore:
    """Score a run of the pool's set against the pool.

    Args:
        scope: `full` puts the covered events back on both sides, for whole biographies.
    """
    return score_rows(pool.runs.get(run, ()), pool, matcher, scope)


def score_rows(rows: Sequence[Joined], pool: Pool, matcher: Matcher, scope: Scope = "novel") -> PersonScore:
    """Score joined rows against a truth that they may or may not be part of."""
    told = [member for each in pool.covered for member in each.members]
    covered = [joined for joined in rows if is_covered(joined, told, matcher)]
    truth = (*pool.clusters, *pool.covered) if scope == "full" else pool.clusters
    asked = [joined for joined in rows if scope == "full" or joined not in covered]
    assigned = assign(asked, truth, matcher)
    matched = [each for each in assigned if each.cluster is not None]
    taken = {id(each.cluster) for each in matched}
    missed = tuple(each for each in truth if id(each) not in taken)
    whole = sum(each.all_right for each in matched)
    return PersonScore(
        event=Counts(len(matched), len(assigned) - len(matched), len(missed)),
        attribute=Counts(whole, len(assigned) - whole, len(truth) - whole),
        slot=_slot_counts(assigned, truth),
        duplicates=sum(len(joined.rows) - 1 for joined in rows),
        covered=len(covered),
        grounded=sum(each.joined.supported for each in matched),
        truth=len(truth),
        assigned=tuple(assigned),
        missed=missed,
    )


def score_frozen(
    run: str, base: Iterable[Row], rows: Iterable[Row], matcher: Matcher, scope: Scope = "novel"
) -> PersonScore:
    """Score a run against the frozen base alone: what `metrics` of the run hold."""
    return score_rows(join_rows(run, rows, matcher), build_pool(base, {}, matcher), matcher, scope)


def leave_own_out(
    arms: Mapping[str, str], run: str, base: Iterable[Row], runs: Mapping[str, Iterable[Row]], matcher: Matcher
) -> PersonScore:
    """Score a run against the truth without the additions of its own arm.

    Args:
        arms: by run key, the arm: repetitions of one arm are no independent finders.
    """
    others = {key: rows for key, rows in runs.items() if arms.get(key, key) != arms.get(run, run)}
    pool = build_pool(base, others, matcher)
    return score_rows(join_rows(run, runs[run], matcher), pool, matcher)


def only_found_by(pool: Pool, runs: Collection[str]) -> int:
    """Return how many events of the truth only these runs found: not in the base, in no other run's evidence."""
    return sum(not each.in_base and each.found_by <= set(runs) for each in pool.clusters)


def assign(rows: Sequence[Joined], truth: Sequence[Cluster], matcher: Matcher) -> list[Assigned]:
    """Assign rows to events of the truth one to one: as many as can be; among those, with the most right.

    Solved by scipy's `linear_sum_assignment` on whole numbers, so that the counts of the best assignment are the
    same whatever the order of rows and events.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    weights = np.zeros((len(rows), len(truth)), dtype=np.float64)
    outcomes: dict[tuple[int, int], tuple[SlotOutcome, ...]] = {}
    for at, joined in enumerate(rows):
        for place, each in enumerate(truth):
            if any(matcher.match(joined.event, member.event) is Match.YES for member in each.members):
                slots = outcomes[at, place] = slot_outcomes(joined, each.truth)
                weights[at, place] = _weight(slots)
    rows_chosen, places = linear_sum_assignment(weights, maximize=True)
    chosen = dict(zip(rows_chosen.tolist(), places.tolist(), strict=True))
    return [
        Assigned(joined, truth[chosen[at]], outcomes[at, chosen[at]])
        if at in chosen and (at, chosen[at]) in outcomes
        else Assigned(joined, None)
        for at, joined in enumerate(rows)
    ]


def said(joined: Joined) -> dict[Slot, str]:
    """Return the slots that a row fills: start month, end month or `ongoing`, and title."""
    event = joined.event
    values: dict[Slot, str | None] = {
        "start": event.start.month_text if event.start else None,
        "end": end_text(event.end),
        "title": exact_title(event.title) or None,
    }
    return {slot: value for slot, value in values.items() if value}


def slot_outcomes(joined: Joined, truth: Truth) -> tuple[SlotOutcome, ...]:
    """Return the slots that the truth defines, with what a row says of each."""
    filled = said(joined)
    right: dict[Slot, frozenset[str]] = {"start": truth.starts, "end": truth.ends, "title": truth.titles}
    return tuple(SlotOutcome(slot, values, filled.get(slot)) for slot, values in right.items() if values)


def _weight(slots: Sequence[SlotOutcome]) -> float:
    right = sum(slot.is_right for slot in slots)
    wrong = sum(slot.said is not None and not slot.is_right for slot in slots)
    return _BASE**3 + _BASE**2 * (right == len(slots)) + _BASE * right - wrong


def _slot_counts(assigned: Iterable[Assigned], truth: Iterable[Cluster]) -> Counts:
    """Count slots one by one: a wrong value is false and missed, an empty one missed.

    Every slot that an unmatched row fills is false.
    """
    tp = fp = 0
    for each in assigned:
        if each.cluster is None:
            fp += len(said(each.joined))
            continue
        tp += sum(slot.is_right for slot in each.slots)
        fp += sum(slot.said is not None and not slot.is_right for slot in each.slots)
    defined = sum(bool(slot) for each in truth for slot in (each.truth.starts, each.truth.ends, each.truth.titles))
    return Counts(tp, fp, defined - tp)
