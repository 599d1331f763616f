"""How far a judge and people agree: counts, Cohen's kappa with an interval over questions, PPV and NPV.

Raw numbers are of the pairs as they were drawn. Weighted ones count each pair as often as it stands for others:
estimates for all that the judge judged.
"""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from answertrail_pipeline.hashing import stable_seed
from answertrail_pipeline.judging.types import Label

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

RESAMPLES = 10_000
MIN_QUESTIONS = 5
"""With fewer questions a bootstrap over questions says nothing."""
MAX_UNDEFINED = 0.05
"""Share of resamples without a kappa above which there is no interval."""


@dataclass(frozen=True)
class Rated:
    """One pair that two raters labelled.

    Attributes:
        first: the judge, or the first of two people.
        second: the person.
    """

    question_id: str
    first: Label
    second: Label
    weight: float = 1.0


@dataclass(frozen=True)
class Confusion:
    """Counts, or sums of weights: both say HIT; only the first; only the second; neither."""

    both: float
    first_only: float
    second_only: float
    neither: float

    @property
    def total(self) -> float:
        """All pairs."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def agreement(self) -> float | None:
        """Share of pairs with the same label; None without pairs."""
        return (self.both + self.neither) / self.total if self.total else None

    @property
    def expected(self) -> float | None:
        """Agreement that the two shares of HIT give by chance."""
        if not self.total:
            return None
        first, second = self.both + self.first_only, self.both + self.second_only
        return (first * second + (self.total - first) * (self.total - second)) / self.total**2


@dataclass(frozen=True)
class Share:
    """A share with its exact (Clopper-Pearson) interval; None where nothing is in the denominator."""

    hits: int
    total: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Estimate:
    """A number with its interval from a bootstrap over questions; None with `reason`."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Agreement:
    """What a set of twice-labelled pairs says.

    Attributes:
        kappa: Cohen's; None with `reason`.
        low, high: its 95% interval from a bootstrap over questions; None with `interval_reason`.
        ppv: of the pairs that the first rater called HIT, the share that the second did too.
        npv: the same for MISS.
        weighted_kappa: with the sampling weights; so are `weighted_ppv` and `weighted_npv`.
    """

    pairs: int
    questions: int
    counts: Confusion
    agreement: float | None
    expected: float | None
    kappa: float | None
    reason: str | None
    low: float | None
    high: float | None
    interval_reason: str | None
    ppv: Share
    npv: Share
    weighted_kappa: Estimate
    weighted_ppv: Estimate
    weighted_npv: Estimate


def confusion(pairs: Iterable[Rated], *, weighted: bool = False) -> Confusion:
    """Count pairs by both labels, or sum their weights."""
    sums = [0.0, 0.0, 0.0, 0.0]
    for pair in pairs:
        sums[_cell(pair)] += pair.weight if weighted else 1.0
    return Confusion(*sums)


def cohens_kappa(counts: Confusion) -> tuple[float | None, str | None]:
    """Return (kappa, None), or (None, why there is none).

    kappa = (observed - expected) / (1 - expected) (Cohen 1960). Where both raters use one and the same label
    throughout, chance explains everything and kappa is 0/0: not 1.
    """
    observed, expected = counts.agreement, counts.expected
    if observed is None or expected is None:
        return None, "no pairs"
    if expected >= 1.0 - 1e-12:
        return None, "one label only"
    return (observed - expected) / (1 - expected), None


def agreement(pairs: Sequence[Rated], key: str, confidence: float = 0.95) -> Agreement:
    """Return what pairs say of two raters.

    Args:
        key: names the set; the same key draws the same resamples.
    """
    counts = confusion(pairs)
    kappa, reason = cohens_kappa(counts)
    raw, weighed = _by_question(pairs, weighted=False), _by_question(pairs, weighted=True)
    found = _estimate(raw, _kappas, kappa, reason, key, confidence)
    weights = confusion(pairs, weighted=True)
    shares = {
        "ppv": (_ppvs, _ratio(weights.both, weights.both + weights.first_only), "no HIT to check"),
        "npv": (_npvs, _ratio(weights.neither, weights.neither + weights.second_only), "no MISS to check"),
    }
    weighted = {
        name: _estimate(weighed, function, value, why if value is None else None, f"{key}/{name}", confidence)
        for name, (function, value, why) in shares.items()
    }
    return Agreement(
        pairs=len(pairs),
        questions=len(raw),
        counts=counts,
        agreement=counts.agreement,
        expected=counts.expected,
        kappa=kappa,
        reason=reason,
        low=found.low,
        high=found.high,
        interval_reason=found.reason,
        ppv=exact_share(int(counts.both), int(counts.both + counts.first_only), confidence),
        npv=exact_share(int(counts.neither), int(counts.neither + counts.second_only), confidence),
        weighted_kappa=_estimate(weighed, _kappas, *cohens_kappa(weights), f"{key}/weighted", confidence),
        weighted_ppv=weighted["ppv"],
        weighted_npv=weighted["npv"],
    )


def _ratio(above: float, below: float) -> float | None:
    return above / below if below else None


def exact_share(hits: int, total: int, confidence: float = 0.95) -> Share:
    """Return a share with its Clopper-Pearson interval."""
    if not total:
        return Share(hits, total, None, None, None)
    from scipy.stats import binomtest

    bounds = binomtest(hits, total).proportion_ci(confidence, method="exact")
    return Share(hits, total, hits / total, float(bounds.low), float(bounds.high))


def kappa_bounds(pairs: Sequence[Rated], left_out: Sequence[Label]) -> tuple[float | None, float | None]:
    """Return kappa if every pair left out had been labelled against the first rater, and with it.

    Args:
        left_out: the first rater's labels on pairs where the second was unsure.
    """
    other: Mapping[Label, Label] = {"HIT": "MISS", "MISS": "HIT"}
    against = [Rated("", label, other[label]) for label in left_out]
    along = [Rated("", label, label) for label in left_out]
    worst, _ = cohens_kappa(confusion([*pairs, *against]))
    best, _ = cohens_kappa(confusion([*pairs, *along]))
    return worst, best


def _by_question(pairs: Iterable[Rated], *, weighted: bool) -> dict[str, list[float]]:
    """Return the sums of the four cells by question."""
    sums: dict[str, list[float]] = {}
    for pair in pairs:
        sums.setdefault(pair.question_id, [0.0] * 4)[_cell(pair)] += pair.weight if weighted else 1.0
    return sums


def _estimate(
    by_question: Mapping[str, Sequence[float]],
    function: Callable[..., "Array"],
    value: float | None,
    reason: str | None,
    key: str,
    confidence: float,
) -> Estimate:
    """Return a value with its percentile interval from resampling whole questions, whose pairs hang together.

    Args:
        function: computes the value from the four cells, along an axis.
    """
    import numpy as np
    from scipy.stats import bootstrap

    if value is None:
        return Estimate(None, reason=reason)
    if len(by_question) < MIN_QUESTIONS:
        return Estimate(value, reason=f"{len(by_question)} questions, at least {MIN_QUESTIONS} are needed")
    cells = [np.array(column) for column in zip(*(by_question[q] for q in sorted(by_question)), strict=True)]
    if not (cells[1].any() or cells[2].any()):
        return Estimate(value, reason="no disagreement: resampling cannot show how rare one is")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # scipy warns of undefined resamples; counted below
        drawn: Any = bootstrap(
            cells,
            function,
            n_resamples=RESAMPLES,
            paired=True,
            vectorized=True,
            confidence_level=confidence,
            method="percentile",
            rng=np.random.default_rng(stable_seed("kappa", key)),
        )
    values = drawn.bootstrap_distribution
    undefined = float(np.isnan(values).mean())
    if undefined > MAX_UNDEFINED:
        return Estimate(value, reason=f"{undefined:.0%} of the resamples leave it undefined")
    tail = (1 - confidence) / 2
    low, high = np.nanquantile(values, [tail, 1 - tail])
    if low == high:
        return Estimate(value, reason="no variation over questions")
    return Estimate(value, float(low), float(high))


def _kappas(both: "Array", first_only: "Array", second_only: "Array", neither: "Array", axis: int = -1) -> "Array":
    import numpy as np

    a, b, c, d = (part.sum(axis=axis) for part in (both, first_only, second_only, neither))
    total = a + b + c + d
    expected = ((a + b) * (a + c) + (c + d) * (b + d)) / total**2
    with np.errstate(divide="ignore", invalid="ignore"):
        kappas: Array = np.where(expected < 1, ((a + d) / total - expected) / (1 - expected), np.nan)
    return kappas


def _ppvs(both: "Array", first_only: "Array", _second_only: "Array", _neither: "Array", axis: int = -1) -> "Array":
    import numpy as np

    hits, others = both.sum(axis=axis), first_only.sum(axis=axis)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: Array = hits / (hits + others)
    return ratios


def _npvs(_both: "Array", _first_only: "Array", second_only: "Array", neither: "Array", axis: int = -1) -> "Array":
    return _ppvs(neither, second_only, second_only, neither, axis=axis)


def _cell(pair: Rated) -> int:
    return (0 if pair.second == "HIT" else 1) if pair.first == "HIT" else (2 if pair.second == "HIT" else 3)
