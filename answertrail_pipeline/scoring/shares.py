"""Which outcomes each share counts. Another metric is another line in `SHARES`.

All shares but the named ones run over the tier's headline nuggets: facts (factual), stances (longitudinal).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import product
from typing import NamedTuple

from answertrail_pipeline.gold.types import HEADLINE_KIND
from answertrail_pipeline.judging.types import Purpose
from answertrail_pipeline.scoring.items import UNSCORED, Outcome


class Count(Enum):
    """What one outcome is to one share."""

    OUT = "outside the denominator"
    MISS = "in the denominator"
    HIT = "above the line too"
    ABSENT = "in the denominator, but never asked"


Rule = Callable[[str, Outcome], Count]


@dataclass(frozen=True)
class Share:
    """A share of nuggets or assertions.

    Attributes:
        rule: given the tier and an outcome without unscored words.
        of: what the denominator counts, for people.
        tiers: where it is defined.
        macro: whether the mean over questions is shown beside the pooled number.
        optional: no line at all where nothing is in the denominator.
        purposes: the verdicts that decide it.
    """

    name: str
    title: str
    of: str
    explanation: str
    rule: Rule
    tiers: tuple[str, ...] = ("factual", "longitudinal")
    macro: bool = False
    optional: bool = False
    purposes: tuple[Purpose, ...] = ("recall",)


class Weighed(NamedTuple):
    """What one outcome adds to a share.

    Attributes:
        low: what it adds to (hits, total) with its unscored words such that the share is least; `high`: most.
    """

    hits: int
    total: int
    unscored: int
    absent: int
    low: tuple[int, int]
    high: tuple[int, int]


_ADDS = {Count.OUT: (0, 0), Count.MISS: (0, 1), Count.HIT: (1, 1)}


@cache
def weigh(rule: Rule, tier: str, outcome: Outcome) -> Weighed:
    """Return what an outcome adds to a share, trying both labels for every word that is unscored."""
    counts = {rule(tier, filled) for filled in _fillings(outcome)}
    if counts == {Count.ABSENT}:
        return Weighed(0, 0, 0, 1, (0, 0), (0, 0))
    if len(counts) == 1:
        adds = _ADDS[counts.pop()]
        return Weighed(*adds, 0, 0, adds, adds)
    if Count.ABSENT in counts:
        counts |= {Count.OUT, Count.MISS, Count.HIT}
    low = next(count for count in (Count.MISS, Count.OUT, Count.HIT) if count in counts)
    high = next(count for count in (Count.HIT, Count.OUT, Count.MISS) if count in counts)
    return Weighed(0, 0, 1, 0, _ADDS[low], _ADDS[high])


def _fillings(outcome: Outcome) -> list[Outcome]:
    fields = outcome._asdict()
    unscored = [name for name, word in fields.items() if word == UNSCORED]
    return [
        Outcome(**{**fields, **dict(zip(unscored, labels, strict=True))})
        for labels in product(("MISS", "HIT"), repeat=len(unscored))
    ]


def _word(label: str | None) -> Count:
    return {"HIT": Count.HIT, "MISS": Count.MISS, None: Count.ABSENT}[label]


def _when(condition: Count, then: Count) -> Count:
    """Return `then` where the condition is a HIT; an unasked condition leaves the share undefined."""
    return {Count.HIT: then, Count.ABSENT: Count.ABSENT}.get(condition, Count.OUT)


def _not(count: Count) -> Count:
    return {Count.HIT: Count.MISS, Count.MISS: Count.HIT}.get(count, count)


def _headline(tier: str, outcome: Outcome, then: Count) -> Count:
    return then if outcome.kind == HEADLINE_KIND[tier] else Count.OUT


def _both(one: Count, other: Count) -> Count:
    """Return HIT where both are, ABSENT where a word is missing."""
    if Count.ABSENT in (one, other):
        return Count.ABSENT
    return Count.HIT if one is other is Count.HIT else Count.MISS


def _recall(tier: str, o: Outcome) -> Count:
    return _headline(tier, o, _word(o.recall))


def _recall_with_shift(tier: str, o: Outcome) -> Count:
    return _word(o.recall) if o.kind in (HEADLINE_KIND[tier], "shift") else Count.OUT


def _shift(_tier: str, o: Outcome) -> Count:
    return _word(o.recall) if o.kind == "shift" else Count.OUT


def _no_change(_tier: str, o: Outcome) -> Count:
    return _word(o.recall) if o.kind == "no_change" else Count.OUT


def _ceiling(tier: str, o: Outcome) -> Count:
    return _headline(tier, o, _word(o.ceiling))


def _conversion(tier: str, o: Outcome) -> Count:
    return _headline(tier, o, _when(_word(o.ceiling), _word(o.recall)))


def _unused(tier: str, o: Outcome) -> Count:
    return _headline(tier, o, _both(_not(_word(o.recall)), _word(o.ceiling)))


def _never(tier: str, o: Outcome) -> Count:
    return _headline(tier, o, _both(_not(_word(o.recall)), _not(_word(o.ceiling))))


def _expressed_or_retrieved(tier: str, o: Outcome) -> Count:
    return _not(_never(tier, o))


def _synthesis_misses(tier: str, o: Outcome) -> Count:
    return _headline(tier, o, _when(_not(_word(o.recall)), _word(o.ceiling)))


def _retrieval_misses(tier: str, o: Outcome) -> Count:
    return _headline(tier, o, _when(_not(_word(o.recall)), _not(_word(o.ceiling))))


def _violations(tier: str, o: Outcome) -> Count:
    return _headline(tier, o, _when(_word(o.recall), _not(_word(o.ceiling))))


def _missed_in(miss_kind: str) -> Rule:
    def rule(tier: str, o: Outcome) -> Count:
        kinds = {None: Count.ABSENT, miss_kind: Count.HIT}
        return _headline(tier, o, _when(_not(_word(o.recall)), kinds.get(o.miss_kind, Count.MISS)))

    return rule


def _written_by(who: str) -> Rule:
    def rule(tier: str, o: Outcome) -> Count:
        return _recall(tier, o) if o.written_by == who else Count.OUT

    return rule


def _grounded(_tier: str, o: Outcome) -> Count:
    return _word(o.grounded) if o.kind == "assertion" and o.grounded else Count.OUT


def _cited(_tier: str, o: Outcome) -> Count:
    return _word(o.cited) if o.kind == "assertion" and o.cited else Count.OUT


LONGITUDINAL = ("longitudinal",)
BOTH: tuple[Purpose, ...] = ("recall", "ceiling")
NUGGETS, MISSED = "headline nuggets", "missed headline nuggets"
SHARES = (
    Share("recall", "Recall", NUGGETS, "The answer states the nugget.", _recall, macro=True),
    Share("recall_with_shift", "Recall with shift", "stance and shift nuggets",
          "As recall, the shift nuggets counted too.", _recall_with_shift, LONGITUDINAL, macro=True),
    Share("shift_pass", "Shift pass rate", "shift nuggets",
          "The answer says that the view moved, and how.", _shift, LONGITUDINAL),
    Share("no_change_pass", "No-change pass rate", "no-change nuggets",
          "The answer says that the view did not move.", _no_change, LONGITUDINAL, optional=True),
    Share("ceiling", "Retrieval ceiling", NUGGETS,
          "The chunks that the run retrieved state the nugget.", _ceiling, macro=True, purposes=("ceiling",)),
    Share("conversion", "Synthesis conversion", "headline nuggets whose evidence was retrieved",
          "Of the nuggets whose evidence was retrieved, those that the answer states.", _conversion,
          purposes=BOTH),
    Share("unused", "Retrieved but unused", NUGGETS,
          "The evidence was retrieved; the answer does not state it.", _unused, purposes=BOTH),
    Share("never_retrieved", "Never retrieved", NUGGETS,
          "Neither retrieved nor stated.", _never, purposes=BOTH),
    Share("expressed_or_retrieved", "Expressed or retrieved", NUGGETS,
          "Stated, or retrieved and unused; above the ceiling by the violations.", _expressed_or_retrieved,
          purposes=BOTH),
    Share("synthesis_misses", "Missed in synthesis", MISSED,
          "Of the misses, those whose evidence was retrieved.", _synthesis_misses, purposes=BOTH),
    Share("retrieval_misses", "Missed in retrieval", MISSED,
          "Of the misses, those whose evidence was never retrieved.", _retrieval_misses, purposes=BOTH),
    Share("violations", "Stated, never retrieved", "headline nuggets stated",
          "The answer states what no retrieved chunk supports.", _violations, purposes=BOTH),
    Share("timing_misses", "Missed on timing", "missed stance nuggets",
          "Of the missed stances, those told at the wrong time.", _missed_in("timing"), LONGITUDINAL),
    Share("substance_misses", "Missed on substance", "missed stance nuggets",
          "Of the missed stances, those not told.", _missed_in("substance"), LONGITUDINAL),
    Share("groundedness", "Groundedness", "assertions",
          "The chunks that the run retrieved support the assertion.", _grounded, macro=True,
          purposes=("grounded",)),
    Share("citation_precision", "Citation precision", "assertions judged against their citations",
          "The chunks that the assertion cites support it.", _cited, macro=True, purposes=("cited",)),
    Share("recall_written_by_person", "Recall, nuggets written by people", NUGGETS,
          "Recall over the nuggets that a person wrote or rewrote.", _written_by("person"), optional=True),
    Share("recall_written_by_model", "Recall, nuggets written by a model", NUGGETS,
          "Recall over the nuggets that a model wrote.", _written_by("model"), optional=True),
    Share("recall_written_by_rules", "Recall, nuggets written by rules", NUGGETS,
          "Recall over the nuggets that the rule-based baseline wrote.", _written_by("rules"), optional=True),
)  # fmt: skip
