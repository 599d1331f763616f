"""Intervals of pooled ratios. The unit is the question: its runs, nuggets and assertions move with it.

Why, and how well they cover: docs/intervals.md.
"""

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from answertrail_pipeline.hashing import stable_seed
from answertrail_pipeline.scoring.types import Interval, QuestionSums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

MIN_BOOTSTRAP = 20
"""Below this many questions the bootstrap is too short; the linearised t interval is used."""
MIN_FIRM = 10
"""Below this many questions an interval is marked indicative."""
_CELLS = 4_000_000
"""Resampled cells held in memory at once."""


@dataclass(frozen=True)
class Resampling:
    """How intervals are made.

    Attributes:
        confidence: two-sided, such as 0.95.
        resamples: how many times the questions are drawn again.
    """

    confidence: float = 0.95
    resamples: int = 10_000


def in_denominator(sums: QuestionSums) -> tuple[dict[str, tuple[float, float]], tuple[str, ...]]:
    """Split sums into the questions with a denominator, sorted by id, and the ids of those without."""
    kept = {question: sums[question] for question in sorted(sums) if sums[question][1] > 0}
    return kept, tuple(question for question in sorted(sums) if question not in kept)


def ratio_interval(sums: QuestionSums, key: str, how: Resampling, *, upper: float = 1.0) -> Interval:
    """Return the interval of the pooled ratio sum(hits) / sum(totals), resampled over questions.

    Args:
        sums: questions without a denominator are left out before anything is drawn.
        key: names the number; the same key draws the same resamples.
        upper: the largest value that the ratio can take; intervals of the t kind are cut to [0, upper].
    """
    import numpy as np

    kept, _ = in_denominator(sums)
    hits, totals = _columns(kept)
    if reason := _why_none(hits, totals):
        return none_because(reason, len(kept))
    if len(kept) < MIN_BOOTSTRAP:
        value = float(hits.sum() / totals.sum())
        return linearised_t(value, (hits - value * totals) / totals.sum(), how, lower=0.0, upper=upper)
    return _bootstrap((hits, totals), _ratio, np.random.default_rng(stable_seed("interval", key)), how)


def mean_interval(values: dict[str, float], key: str, how: Resampling, *, upper: float = 1.0) -> Interval:
    """Return the interval of the mean over questions (macro), by question id."""
    return ratio_interval({question: (value, 1.0) for question, value in values.items()}, key, how, upper=upper)


def difference_interval(new: QuestionSums, old: QuestionSums, key: str, how: Resampling) -> Interval:
    """Return the interval of the difference of two pooled ratios over the same questions, drawn in pairs.

    Raises:
        ValueError: the two do not have the same questions, or one has no denominator somewhere.
    """
    import numpy as np

    if new.keys() != old.keys() or any(sums[q][1] <= 0 for sums in (new, old) for q in sums):
        raise ValueError("a paired difference needs the same questions with a denominator on both sides")
    columns = (*_columns(dict(sorted(new.items()))), *_columns(dict(sorted(old.items()))))
    residuals = difference_residuals(*columns)
    if len(new) == 0:
        return none_because("no question", 0)
    if len(new) == 1:
        return none_because("one question", 1)
    if np.allclose(residuals, 0.0, atol=1e-12):
        return none_because("no variation", len(new))
    if len(new) < MIN_BOOTSTRAP:
        return linearised_t(float(_difference(*columns)), residuals, how, lower=-1.0, upper=1.0)
    return _bootstrap(columns, _difference, np.random.default_rng(stable_seed("difference", key)), how)


def difference_residuals(
    new_hits: "Array", new_totals: "Array", old_hits: "Array", old_totals: "Array"
) -> "Array":
    """Return each question's part in the linearised difference of two pooled ratios; they sum to 0.

    With p = sum(hits) / sum(totals) on each side, the residual of a question is
    (hits - p totals) / sum(totals), new minus old (Cochran, Sampling Techniques, 3rd ed., section 6.13).
    """
    new = (new_hits - new_hits.sum() / new_totals.sum() * new_totals) / new_totals.sum()
    old = (old_hits - old_hits.sum() / old_totals.sum() * old_totals) / old_totals.sum()
    residuals: Array = new - old
    return residuals


def standard_error(residuals: "Array") -> float:
    """Return the standard error of a ratio, or a difference of ratios, from its linearised residuals."""
    n = len(residuals)
    return math.sqrt(n / (n - 1) * float((residuals**2).sum()))


def linearised_t(value: float, residuals: "Array", how: Resampling, *, lower: float, upper: float) -> Interval:
    """Return value +- t(n - 1) x the linearised standard error, cut to what the number can be."""
    from scipy.stats import t

    n = len(residuals)
    half = float(t.ppf((1 + how.confidence) / 2, n - 1)) * standard_error(residuals)
    return Interval(
        max(lower, value - half),
        min(upper, value + half),
        "linearised t over questions",
        indicative=n < MIN_FIRM,
        questions=n,
    )


def none_because(reason: str, questions: int) -> Interval:
    """Return the interval that cannot be had."""
    return Interval(None, None, "none", reason, questions < MIN_FIRM, questions)


def _why_none(hits: "Array", totals: "Array") -> str | None:
    import numpy as np

    if len(hits) == 0:
        return "no question has anything in the denominator"
    if len(hits) == 1:
        return "one question"
    if np.allclose(hits / totals, (hits / totals)[0], rtol=0, atol=1e-12):
        return "no variation between questions"
    return None


def _columns(sums: QuestionSums) -> tuple["Array", "Array"]:
    import numpy as np

    return (
        np.array([hits for hits, _ in sums.values()], dtype=np.float64),
        np.array([total for _, total in sums.values()], dtype=np.float64),
    )


def _ratio(hits: "Array", totals: "Array", axis: int = -1) -> "Array":
    ratio: Array = hits.sum(axis=axis) / totals.sum(axis=axis)
    return ratio


def _difference(
    new_hits: "Array", new_totals: "Array", old_hits: "Array", old_totals: "Array", axis: int = -1
) -> "Array":
    return _ratio(new_hits, new_totals, axis) - _ratio(old_hits, old_totals, axis)


def _bootstrap(
    columns: Sequence["Array"], statistic: Callable[..., "Array"], rng: "np.random.Generator", how: Resampling
) -> Interval:
    """Return the BCa interval, or the percentile interval of the same resamples where BCa is undefined."""
    import numpy as np
    from scipy.stats import bootstrap

    n = len(columns[0])
    shared: dict[str, Any] = {
        "paired": True, "vectorized": True, "confidence_level": how.confidence, "batch": max(1, _CELLS // n),
    }  # fmt: skip
    with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
        warnings.simplefilter("ignore")  # scipy warns of the degenerate case that is handled below
        result = bootstrap(columns, statistic, n_resamples=how.resamples, method="BCa", rng=rng, **shared)
        name = "BCa"
        if not np.isfinite([result.confidence_interval.low, result.confidence_interval.high]).all():
            name = "percentile"
            result = bootstrap(
                columns, statistic, n_resamples=0, method="percentile", bootstrap_result=result, **shared
            )
    low, high = (float(bound) for bound in result.confidence_interval)
    return Interval(low, high, f"{name} bootstrap over questions", questions=n)
