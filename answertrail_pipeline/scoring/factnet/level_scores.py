"""One level of a score over persons: pooled and mean numbers with their intervals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from answertrail_pipeline.scoring.factnet.scores import Level
from answertrail_pipeline.scoring.factnet.types import Counts
from answertrail_pipeline.scoring.intervals import Resampling, mean_interval, ratio_interval
from answertrail_pipeline.scoring.types import Interval

LEVELS: tuple[Level, ...] = ("event", "attribute", "slot")
PersonCounts = Mapping[str, Counts]


@dataclass(frozen=True)
class Number:
    """A ratio with its interval over persons; `value` None where undefined."""

    value: float | None
    interval: Interval


@dataclass(frozen=True)
class LevelScore:
    """One level of one arm in one region.

    Attributes:
        f1: pooled (micro): 2 tp / (2 tp + fp + fn) over all persons.
        macro_f1: mean of the persons' F1; persons without truth and predictions are left out and counted.
    """

    counts: Counts
    precision: Number
    recall: Number
    f1: Number
    macro_f1: Number
    left_out: int


def level_score(by_person: PersonCounts, key: str, how: Resampling) -> LevelScore:
    """Return the pooled and the mean scores of one level over persons."""
    total = sum(by_person.values(), Counts())
    f1s = {person: counts.f1 for person, counts in by_person.items()}
    known = {person: f1 for person, f1 in f1s.items() if f1 is not None}
    macro = sum(known.values()) / len(known) if known else None

    def number(value: float | None, name: str, part: Callable[[Counts], tuple[float, float]]) -> Number:
        sums = {person: part(counts) for person, counts in by_person.items()}
        return Number(value, ratio_interval(sums, f"{key}/{name}", how))

    return LevelScore(
        counts=total,
        precision=number(total.precision, "precision", lambda c: (c.tp, c.tp + c.fp)),
        recall=number(total.recall, "recall", lambda c: (c.tp, c.tp + c.fn)),
        f1=number(total.f1, "f1", lambda c: (2 * c.tp, 2 * c.tp + c.fp + c.fn)),
        macro_f1=Number(macro, mean_interval(known, f"{key}/macro", how)),
        left_out=len(f1s) - len(known),
    )
