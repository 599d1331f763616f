"""How far a judge and people agree: counts, Cohen's kappa with an interval over questions, PPV and NPV."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
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
class Agreement:
    """What a set of twice-labelled pairs says.

    Attributes:
        kappa: Cohen's; None with `reason`.
        low, high: its 95% interval from a bootstrap over questions; None with `interval_reason`.
        weighted_kappa: with the sampling weights: an estimate for the population that was drawn from.
        ppv: of the pairs that the first rater called HIT, the share that the second did too.
        npv: the same for MISS.
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
    weighted_kappa: float | None
    ppv: Share
    npv: Share


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
    weighted, _ = cohens_kappa(confusion(pairs, weighted=True))
    low, high, why = _kappa_interval(pairs, key, confidence) if kappa is not None else (None, None, reason)
    return Agreement(
        pairs=len(pairs),
        questions=len({pair.question_id for pair in pairs}),
        counts=counts,
        agreement=counts.agreement,
        expected=counts.expected,
        kappa=kappa,
        reason=reason,
        low=low,
        high=high,
        interval_reason=why,
        weighted_kappa=weighted,
        ppv=exact_share(int(counts.both), int(counts.both + counts.first_only), confidence),
        npv=exact_share(int(counts.neither), int(counts.neither + counts.second_only), confidence),
    )


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


def _kappa_interval(
    pairs: Sequence[Rated], key: str, confidence: float
) -> tuple[float | None, float | None, str | None]:
    """Return a percentile interval from resampling whole questions: pairs of one question are not independent."""
    import numpy as np
    from scipy.stats import bootstrap

    by_question: dict[str, list[float]] = {}
    for pair in pairs:
        by_question.setdefault(pair.question_id, [0.0] * 4)[_cell(pair)] += 1
    if len(by_question) < MIN_QUESTIONS:
        return None, None, f"{len(by_question)} questions, at least {MIN_QUESTIONS} are needed"
    cells = [np.array(column) for column in zip(*(by_question[q] for q in sorted(by_question)), strict=True)]
    if not (cells[1].any() or cells[2].any()):
        return None, None, "no disagreement: resampling cannot show how rare one is"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # scipy warns of resamples without a kappa; counted below
        drawn: Any = bootstrap(
            cells,
            _kappas,
            n_resamples=RESAMPLES,
            paired=True,
            vectorized=True,
            confidence_level=confidence,
            method="percentile",
            rng=np.random.default_rng(stable_seed("kappa", key)),
        )
    kappas = drawn.bootstrap_distribution
    undefined = float(np.isnan(kappas).mean())
    if undefined > MAX_UNDEFINED:
        return None, None, f"{undefined:.0%} of the resamples have one label only"
    tail = (1 - confidence) / 2
    low, high = np.nanquantile(kappas, [tail, 1 - tail])
    return float(low), float(high), None


def _kappas(both: "Array", first_only: "Array", second_only: "Array", neither: "Array", axis: int = -1) -> "Array":
    import numpy as np

    a, b, c, d = (part.sum(axis=axis) for part in (both, first_only, second_only, neither))
    total = a + b + c + d
    expected = ((a + b) * (a + c) + (c + d) * (b + d)) / total**2
    with np.errstate(divide="ignore", invalid="ignore"):
        kappas: Array = np.where(expected < 1, ((a + d) / total - expected) / (1 - expected), np.nan)
    return kappas


def _cell(pair: Rated) -> int:
    return (0 if pair.second == "HIT" else 1) if pair.first == "HIT" else (2 if pair.second == "HIT" else 3)
