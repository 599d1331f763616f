"""Differences of arms over the questions that both have: interval, sign-flip p, Holm, smallest that could show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from answertrail_pipeline.hashing import stable_seed
from answertrail_pipeline.scoring.intervals import (
    Resampling,
    difference_intervals,
    difference_residuals,
    standard_error,
    why_none,
)
from answertrail_pipeline.scoring.types import Interval, Metric, QuestionSums

if TYPE_CHECKING:
    from answertrail_pipeline.scoring.intervals import Array

COMPARED = ("recall", "recall_with_shift", "ceiling", "conversion", "groundedness", "citation_precision")
"""The shares whose differences are shown, and whose per-question sums a scoreboard keeps."""
POWER = 0.8


@dataclass(frozen=True)
class Comparison:
    """The difference of one number between two arms, new minus old, over the questions that both have.

    Attributes:
        questions: how many questions both arms have in this denominator.
        not_shared: questions that only one of them has.
        new_hits, new_total, old_hits, old_total: the counts over the shared questions.
        p: two-sided sign-flip permutation over questions; None where nothing can be said.
        p_holm: p after Holm's correction over the family; None outside a family.
        detectable: the smallest difference that this many questions show with 80% power.
        hypothesis: id of the pre-registered line that asked for it; None for a comparison found afterwards.
        direction: what the hypothesis said; `holds` whether it was borne out after Holm.
    """

    tier: str
    metric: str
    new: str
    old: str
    questions: int
    not_shared: tuple[str, ...]
    new_hits: float
    new_total: float
    old_hits: float
    old_total: float
    difference: float | None
    interval: Interval
    p: float | None = None
    p_holm: float | None = None
    detectable: float | None = None
    hypothesis: str | None = None
    direction: str | None = None
    holds: bool | None = None


def compare(
    tier: str, new: str, old: str, of_new: Mapping[str, Metric], of_old: Mapping[str, Metric], how: Resampling
) -> list[Comparison]:
    """Compare two arms in one tier, number by number; numbers that are undefined on a side are left out.

    Args:
        new: name of the new arm; `old` of the one it is measured against.
        of_new: metrics of the tier by name, with their sums by question; so is `of_old`.
    """
    pairs: dict[str, tuple[QuestionSums, QuestionSums]] = {}
    not_shared: dict[str, tuple[str, ...]] = {}
    for name in COMPARED:
        if name not in of_new or name not in of_old or not of_new[name].questions or not of_old[name].questions:
            continue
        ours, theirs = of_new[name].questions, of_old[name].questions
        shared = sorted(ours.keys() & theirs.keys())
        not_shared[name] = tuple(sorted(ours.keys() ^ theirs.keys()))
        pairs[name] = ({q: ours[q] for q in shared}, {q: theirs[q] for q in shared})
    key = f"{tier}/{new}/{old}"
    intervals = difference_intervals(pairs, key, how)
    p_values = _p_values(pairs, key, how)
    return [
        _comparison(tier, name, new, old, *pairs[name], not_shared[name], intervals[name], p_values.get(name), how)
        for name in pairs
    ]


def _p_values(
    pairs: Mapping[str, tuple[QuestionSums, QuestionSums]], key: str, how: Resampling
) -> dict[str, float]:
    """Return p by number, with the same flips for all numbers over the same questions."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, (ours, _) in pairs.items():
        if len(ours) > 1:
            groups.setdefault(tuple(ours), []).append(name)
    found: dict[str, float] = {}
    for names in groups.values():
        parts = [null_parts(*_columns(*pairs[name])) for name in names]
        found |= zip(names, sign_flip_p(parts, key, how), strict=True)
    return found


def _columns(ours: QuestionSums, theirs: QuestionSums) -> tuple["Array", "Array", "Array", "Array"]:
    import numpy as np

    new_hits, new_totals = np.array([ours[question] for question in ours], dtype=np.float64).T
    old_hits, old_totals = np.array([theirs[question] for question in ours], dtype=np.float64).T
    return new_hits, new_totals, old_hits, old_totals


def _comparison(
    tier: str, metric: str, new: str, old: str, ours: QuestionSums, theirs: QuestionSums,
    not_shared: tuple[str, ...], interval: Interval, p: float | None, how: Resampling,
) -> Comparison:  # fmt: skip
    if not ours:
        return Comparison(tier, metric, new, old, 0, not_shared, 0.0, 0.0, 0.0, 0.0, None, interval)
    columns = _columns(ours, theirs)
    new_hits, new_total, old_hits, old_total = (float(column.sum()) for column in columns)
    return Comparison(
        tier,
        metric,
        new,
        old,
        len(ours),
        not_shared,
        new_hits,
        new_total,
        old_hits,
        old_total,
        new_hits / new_total - old_hits / old_total,
        interval,
        p,
        detectable=smallest_detectable(difference_residuals(*columns), how),
    )


def null_parts(new_hits: "Array", new_totals: "Array", old_hits: "Array", old_totals: "Array") -> "Array":
    """Return each question's part in the difference as it would be if the arms were the same.

    (hits - p0 totals) / sum(totals), new minus old, with the ratio p0 of both arms together. The parts sum to the
    difference; each has mean 0 if the arms are the same, even where they differ in the number of runs or
    assertions. With equal totals a part is the plain difference.
    """
    both = (new_hits.sum() + old_hits.sum()) / (new_totals.sum() + old_totals.sum())
    parts: Array = (new_hits - both * new_totals) / new_totals.sum() - (
        old_hits - both * old_totals
    ) / old_totals.sum()
    return parts


def sign_flip_p(parts: Sequence["Array"], key: str, how: Resampling) -> list[float]:
    """Return the two-sided p of "the arms are the same" for several numbers over the same questions.

    The sign of each question's part is flipped, for all numbers at once; all 2^n flips are tried where that is no
    more than the resamples.
    """
    import numpy as np
    from scipy.stats import permutation_test

    stacked = np.stack(parts)
    n = stacked.shape[1]
    result = permutation_test(
        (np.ones(n),),
        lambda signs, axis: signs @ stacked.T,  # scipy flips the ones
        permutation_type="samples",
        vectorized=True,
        n_resamples=how.resamples,
        batch=max(1, 4_000_000 // n),
        alternative="two-sided",
        rng=np.random.default_rng(stable_seed("sign-flip", key)),
    )
    return [float(p) for p in np.atleast_1d(result.pvalue)]


def smallest_detectable(residuals: "Array", how: Resampling) -> float | None:
    """Return the smallest true difference that a two-sided test finds with 80% power, given these residuals.

    (t(1 - alpha/2) + t(power)) x the linearised standard error, n - 1 degrees of freedom. None for one question
    and without variation between questions: these do not tell how much others would differ.
    """
    from scipy.stats import t

    if why_none(residuals):
        return None
    n = len(residuals)
    both = t.ppf((1 + how.confidence) / 2, n - 1) + t.ppf(POWER, n - 1)
    return float(both) * standard_error(residuals)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's step-down adjusted p values, in the order given (Holm 1979).

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def with_holm(family: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons of a family with their p corrected for its size; those without a p do not count."""
    tested = [index for index, one in enumerate(family) if one.p is not None]
    adjusted = dict(zip(tested, holm([family[index].p or 0.0 for index in tested]), strict=True))
    return [replace(one, p_holm=adjusted.get(index)) for index, one in enumerate(family)]
