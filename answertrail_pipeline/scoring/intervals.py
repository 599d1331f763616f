"""Intervals of pooled ratios. The unit is the question: its runs, nuggets and assertions move with it.

Why, and how well they cover: docs/intervals.md.
"""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
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
    return ratio_intervals({key: sums}, key, how, {key: upper})[key]


def ratio_intervals(
    sums: Mapping[str, QuestionSums], key: str, how: Resampling, upper: Mapping[str, float]
) -> dict[str, Interval]:
    """Return the intervals of several pooled ratios, by name; those over the same questions share their draws.

    Args:
        sums: by name of the number.
        key: names the family of numbers; the same key draws the same resamples.
        upper: by name, the largest value that the ratio can take.
    """
    found: dict[str, Interval] = {}
    groups: dict[tuple[str, ...], dict[str, tuple[Array, ...]]] = {}
    for name, of_questions in sums.items():
        kept, _ = in_denominator(of_questions)
        hits, totals = _columns(kept)
        residuals = ratio_residuals(hits, totals)
        if reason := why_none(residuals):
            found[name] = none_because(reason, len(kept))
        elif len(kept) < MIN_BOOTSTRAP:
            value = float(hits.sum() / totals.sum())
            found[name] = linearised_t(value, residuals, how, lower=0.0, upper=upper[name])
        else:
            groups.setdefault(tuple(kept), {})[name] = (hits, totals)
    found |= _bootstrapped(groups, _ratio, stable_seed("interval", key), how)
    return {name: found[name] for name in sums}


def mean_interval(values: dict[str, float], key: str, how: Resampling, *, upper: float = 1.0) -> Interval:
    """Return the interval of the mean over questions (macro), by question id."""
    return ratio_interval({question: (value, 1.0) for question, value in values.items()}, key, how, upper=upper)


def difference_intervals(
    pairs: Mapping[str, tuple[QuestionSums, QuestionSums]], key: str, how: Resampling
) -> dict[str, Interval]:
    """Return intervals of differences of pooled ratios, new minus old, each over the questions of both sides.

    Numbers over the same questions share one paired resampling: each draw takes a question with all that both
    arms did on it, for every number at once.

    Args:
        pairs: by number: (new, old), with the same questions and a denominator everywhere.
        key: names the pair of arms; the same key draws the same resamples.

    Raises:
        ValueError: the two sides of a pair do not have the same questions, or no denominator somewhere.
    """
    found: dict[str, Interval] = {}
    groups: dict[tuple[str, ...], dict[str, tuple[Array, ...]]] = {}
    for name, (new, old) in pairs.items():
        if new.keys() != old.keys() or any(total <= 0 for sums in (new, old) for _, total in sums.values()):
            raise ValueError(f"{name}: a paired difference needs the same questions with a denominator each")
        columns = (*_columns(dict(sorted(new.items()))), *_columns(dict(sorted(old.items()))))
        residuals = difference_residuals(*columns)
        if reason := why_none(residuals):
            found[name] = none_because(reason, len(new))
        elif len(new) < MIN_BOOTSTRAP:
            value = float(_difference(*(column.sum() for column in columns)))
            found[name] = linearised_t(value, residuals, how, lower=-1.0, upper=1.0)
        else:
            groups.setdefault(tuple(sorted(new)), {})[name] = columns
    found |= _bootstrapped(groups, _difference, stable_seed("difference", key), how)
    return {name: found[name] for name in pairs}


def _bootstrapped(
    groups: Mapping[tuple[str, ...], Mapping[str, tuple["Array", ...]]],
    statistic: Callable[..., "Array"],
    seed: int,
    how: Resampling,
) -> dict[str, Interval]:
    """Return the intervals of numbers that are grouped by the questions that they are over."""
    import numpy as np

    found: dict[str, Interval] = {}
    for group in groups.values():
        columns = [np.stack(column) for column in zip(*group.values(), strict=True)]
        found |= zip(group, bootstrap_intervals(columns, statistic, np.random.default_rng(seed), how), strict=True)
    return found


def ratio_residuals(hits: "Array", totals: "Array") -> "Array":
    """Return each question's part in the linearised pooled ratio; they sum to 0.

    With p = sum(hits) / sum(totals), the residual of a question is (hits - p totals) / sum(totals)
    (Cochran, Sampling Techniques, 3rd ed., section 6.3).
    """
    if not len(hits):
        return hits
    residuals: Array = (hits - hits.sum() / totals.sum() * totals) / totals.sum()
    return residuals


def difference_residuals(
    new_hits: "Array", new_totals: "Array", old_hits: "Array", old_totals: "Array"
) -> "Array":
    """Return each question's part in the linearised difference of two pooled ratios; they sum to 0."""
    return ratio_residuals(new_hits, new_totals) - ratio_residuals(old_hits, old_totals)


def standard_error(residuals: "Array", sample: int | None = None) -> float:
    """Return the standard error of a ratio, or a difference of ratios, from its linearised residuals.

    Args:
        sample: how many questions bear on it, where that is fewer than there are residuals.
    """
    n = sample or len(residuals)
    return math.sqrt(n / (n - 1) * float((residuals**2).sum()))


def linearised_t(
    value: float, residuals: "Array", how: Resampling, *, lower: float, upper: float, sample: int | None = None
) -> Interval:
    """Return value +- t(n - 1) x the linearised standard error, cut to what the number can be.

    Args:
        sample: n, where fewer questions than residuals bear on the number.
    """
    from scipy.stats import t

    n = sample or len(residuals)
    half = float(t.ppf((1 + how.confidence) / 2, n - 1)) * standard_error(residuals, n)
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


def why_none(residuals: "Array") -> str | None:
    """Return why questions with these residuals tell nothing of the spread; None where they do."""
    import numpy as np

    if len(residuals) == 0:
        return "no question has anything in the denominator"
    if len(residuals) == 1:
        return "one question"
    return "no variation between questions" if np.allclose(residuals, 0.0, rtol=0, atol=1e-12) else None


def _columns(sums: QuestionSums) -> tuple["Array", "Array"]:
    import numpy as np

    return (
        np.array([hits for hits, _ in sums.values()], dtype=np.float64),
        np.array([total for _, total in sums.values()], dtype=np.float64),
    )


def _ratio(hits: "Array", totals: "Array") -> "Array":
    return hits / totals


def _difference(new_hits: "Array", new_totals: "Array", old_hits: "Array", old_totals: "Array") -> "Array":
    return new_hits / new_totals - old_hits / old_totals


def bootstrap_intervals(
    columns: Sequence["Array"], statistic: Callable[..., "Array"], rng: "np.random.Generator", how: Resampling
) -> list[Interval]:
    """Return BCa intervals of several numbers from one resampling of the questions.

    Where BCa is undefined (leaving out any one question changes nothing, say), the percentile interval of the same
    resamples stands in, by name.

    Args:
        columns: arrays of shape (numbers, questions), aligned by question.
        statistic: given the columns' sums over the questions drawn, the numbers.
    """
    bca, percentile = bootstrap_ends(columns, statistic, rng, how)
    n = columns[0].shape[-1]
    return [
        Interval(*ends, "BCa bootstrap over questions", questions=n)
        if all(map(math.isfinite, ends))
        else Interval(*plain, "percentile bootstrap over questions", questions=n)
        for ends, plain in zip(bca, percentile, strict=True)
    ]


Ends = list[tuple[float, float]]


def bootstrap_ends(
    columns: Sequence["Array"], statistic: Callable[..., "Array"], rng: "np.random.Generator", how: Resampling
) -> tuple[Ends, Ends]:
    """Return the BCa and the percentile ends of several numbers from one resampling; NaN where undefined."""
    import numpy as np
    from scipy.stats import bootstrap

    numbers, n = columns[0].shape

    def of_drawn(drawn: "NDArray[np.int64]", axis: int = -1) -> "Array":
        """Return the numbers for draws of question places, shape (draws, n): how often each was drawn decides."""
        rows = drawn.reshape(-1, drawn.shape[-1])
        places = rows + n * np.arange(len(rows))[:, None]
        times = np.bincount(places.ravel(), minlength=n * len(rows)).reshape(len(rows), n).astype(np.float64)
        made = statistic(*((times @ column.T).T for column in columns))
        return made.reshape(numbers, *drawn.shape[:-1])

    shared: dict[str, Any] = {
        "vectorized": True, "axis": -1, "confidence_level": how.confidence, "batch": max(1, _CELLS // n),
    }  # fmt: skip
    questions = (np.arange(n),)
    with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
        warnings.simplefilter("ignore")  # scipy warns where BCa is undefined, which the caller looks at
        bca = bootstrap(questions, of_drawn, n_resamples=how.resamples, method="BCa", rng=rng, **shared)
        plain = bootstrap(questions, of_drawn, n_resamples=0, method="percentile", bootstrap_result=bca, **shared)
    found = []
    for result in (bca, plain):
        low, high = np.atleast_1d(result.confidence_interval.low, result.confidence_interval.high)
        found.append([(float(one), float(other)) for one, other in zip(low, high, strict=True)])
    return found[0], found[1]
