"""The regression gate: is the new score worse than the old one by more than a margin?"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from answertrail_pipeline.scoring.compare import Comparison, compare
from answertrail_pipeline.scoring.intervals import Resampling
from answertrail_pipeline.scoring.types import Metric

_ROUNDING = 1e-9  # a drop of exactly the margin is borne


class GateExit(IntEnum):
    """Exit codes of `answertrail gate`; 1 is an error of the user's or ours, 2 a wrong command line."""

    PASSED = 0
    FAILED = 3
    UNDECIDED = 4


@dataclass(frozen=True)
class GateResult:
    """The gate's word on one tier.

    Attributes:
        warning: the point lies below -margin, though the interval does not exclude a smaller drop.
        detectable: the smallest drop that this many questions show with 80% power.
        sentence: all of it, for people.
    """

    tier: str
    exit: GateExit
    warning: bool
    comparison: Comparison | None
    detectable: float | None
    sentence: str


def gate(
    tier: str,
    new: Mapping[str, Metric],
    old: Mapping[str, Metric],
    margin: float,
    how: Resampling,
    *,
    metric: str = "recall",
    noninferior: bool = False,
    names: tuple[str, str] = ("new", "old"),
) -> GateResult:
    """Compare the new and the old metrics of a tier.

    By default it fails if even the upper end of the interval of (new - old) is below -margin: a drop is proven.
    With `noninferior` it fails if the lower end is below -margin: no drop beyond the margin must be proven.
    With equal differences on every question there is no interval and the difference itself decides.

    Args:
        new: metrics by name, with their sums by question; so is `old`.
        margin: a share such as 0.03, three points.
    """
    found = [one for one in compare(tier, *names, new, old, how) if one.metric == metric]
    if not found or found[0].difference is None or found[0].questions < 2:
        return GateResult(
            tier, GateExit.UNDECIDED, False, found[0] if found else None, None,
            f"{tier} {metric}: undecided, fewer than two questions are shared.",
        )  # fmt: skip
    one = found[0]
    point = one.difference or 0.0
    low = point if one.interval.low is None else one.interval.low
    high = point if one.interval.high is None else one.interval.high
    most = -margin - _ROUNDING
    failed = (low if noninferior else high) < most
    warning = point < most and not failed
    word = "FAILED" if failed else "passed with a warning" if warning else "passed"
    return GateResult(
        tier,
        GateExit.FAILED if failed else GateExit.PASSED,
        warning,
        one,
        one.detectable,
        f"{tier} {metric}: {word}. {one.new} {_counts(one.new_hits, one.new_total)} against {one.old}"
        f" {_counts(one.old_hits, one.old_total)} over {one.questions} shared questions: {100 * point:+.1f} points"
        f" {_ends(one)}, margin {100 * margin:g} points;"
        f" the smallest drop that could show is {_detectable(one)}.",
    )


def _detectable(one: Comparison) -> str:
    if one.detectable is None:
        return "unknown: no variation between questions"
    return f"{100 * one.detectable:.1f} points" if one.detectable <= 1 else "over 100 points, so none"


def _ends(one: Comparison) -> str:
    found = one.interval
    if found.low is None or found.high is None:
        return f"(no interval: {found.reason})"
    return f"[{100 * found.low:+.1f}, {100 * found.high:+.1f}] ({found.method})"


def _counts(hits: float, total: float) -> str:
    return f"{hits:g}/{total:g} = {100 * hits / total:.1f}%"
