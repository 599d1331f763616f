"""Scores corrected for the judge's errors by pairs that people labelled: beside the raw score, never alone.

Two ways, chosen by how the pairs were drawn (docs/intervals.md):

- PPBoot: the pooled judge ratio plus the weighted mean of (person - judge) on the labelled pairs.
- plug-in: ratio x PPV + (1 - ratio) x (1 - NPV), for pairs drawn by the judge's own verdict.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from answertrail_pipeline.hashing import stable_seed
from answertrail_pipeline.scoring.intervals import (
    MIN_BOOTSTRAP,
    Resampling,
    bootstrap_intervals,
    linearised_t,
    none_because,
    ratio_residuals,
    standard_error,
    why_none,
)
from answertrail_pipeline.scoring.types import Interval, LabelledPair, Metric

MIN_TIER_PAIRS = 30
"""With fewer labelled pairs of the tier, the pairs of all tiers are used, and the note says so."""
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Corrected:
    """A judge-corrected score.

    Attributes:
        method: `PPBoot` or `PPV/NPV plug-in`.
        pairs: how many labelled pairs it rests on.
        note: what was assumed.
    """

    tier: str
    metric: str
    method: str
    value: float | None
    interval: Interval
    pairs: int
    note: str


def corrected(metric: Metric, pairs: Sequence[LabelledPair], how: Resampling) -> list[Corrected]:
    """Return a metric's corrected scores, one a method that its labelled pairs allow.

    Args:
        metric: a share with its sums by question.
        pairs: labelled pairs of the purpose that decides the metric, of any tier.
    """
    if metric.value is None or not pairs:
        return []
    own = [pair for pair in pairs if pair.tier == metric.tier]
    made = []
    if own:
        made.append(ppboot(metric, own, how))
    if all(pair.by_verdict for pair in pairs):
        enough = len(own) >= MIN_TIER_PAIRS
        note = f"labels of the {metric.tier} tier" if enough else "one PPV and NPV for all tiers assumed"
        made.append(plug_in(metric, own if enough else pairs, how, note))
    return made


def ppboot(metric: Metric, pairs: Sequence[LabelledPair], how: Resampling) -> Corrected:
    """Correct by the mean difference of person and judge on the labelled pairs, resampled by question.

    With fewer than 20 labelled questions, or questions in the metric, the linearised t interval is used, on that
    number less 1. Its ends are cut to 0..1; a value beyond them is none: the labels are of other answers.
    """
    import numpy as np

    of_question: dict[str, list[LabelledPair]] = {}
    for pair in pairs:
        of_question.setdefault(pair.question_id, []).append(pair)
    labelled = len(of_question)
    questions = sorted(metric.questions.keys() | of_question.keys())
    sums = [metric.questions.get(question, (0.0, 0.0)) for question in questions]
    hits, totals = np.array([h for h, _ in sums]), np.array([t for _, t in sums])
    errors = np.array([sum(p.weight * _error(p) for p in of_question.get(q, ())) for q in questions], float)
    weights = np.array([sum(p.weight for p in of_question.get(q, ())) for q in questions], float)
    value = float(hits.sum() / totals.sum() + errors.sum() / weights.sum())
    beyond = not -_ROUNDING <= value <= 1 + _ROUNDING
    residuals = ratio_residuals(hits, totals) + ratio_residuals(errors, weights)
    bearing = min(labelled, len(metric.questions))
    if beyond:
        interval = none_because(f"the labels would make it {100 * value:.1f}%: they are of other answers", bearing)
    elif bearing < 2:
        interval = none_because("labels on one question" if labelled < 2 else "one question", bearing)
    elif reason := why_none(residuals):
        interval = none_because(reason, bearing)
    elif bearing < MIN_BOOTSTRAP:
        interval = linearised_t(value, residuals, how, lower=0.0, upper=1.0, sample=bearing)
    else:
        rng = np.random.default_rng(stable_seed("ppboot", metric.tier, metric.name))
        columns = [column[None] for column in (hits, totals, errors, weights)]
        [interval] = bootstrap_intervals(columns, lambda h, t, e, w: np.clip(h / t + e / w, 0.0, 1.0), rng, how)
    note = f"{len(pairs)} labelled pairs on {labelled} questions"
    if not errors.any():
        note += "; no error of the judge among them: how rare one is does not show in the interval"
    return Corrected(metric.tier, metric.name, "PPBoot", None if beyond else value, interval, len(pairs), note)


def _error(pair: LabelledPair) -> int:
    return (pair.person == "HIT") - (pair.judge == "HIT")


def plug_in(metric: Metric, pairs: Sequence[LabelledPair], how: Resampling, note: str) -> Corrected:
    """Correct by PPV and NPV, which are population values where pairs were drawn by the judge's verdict.

    Both are weighted by the chance of each pair to be drawn. The interval draws the judge's ratio from its
    linearised t distribution over questions and PPV and NPV from their Jeffreys posteriors.
    """
    import numpy as np

    method = "PPV/NPV plug-in"

    def made(value: float | None, interval: Interval) -> Corrected:
        return Corrected(metric.tier, metric.name, method, value, interval, len(pairs), note)

    right_hits, hits = _agreeing(pairs, "HIT")
    right_misses, misses = _agreeing(pairs, "MISS")
    ratio = metric.value or 0.0
    if not hits or not misses:
        reason = f"no labelled pair that the judge called a {'MISS' if hits else 'HIT'}"
        return made(None, none_because(reason, len(metric.questions)))
    value = ratio * right_hits / hits + (1 - ratio) * (misses - right_misses) / misses
    n, draws = len(metric.questions), how.resamples
    columns = [np.array([sums[part] for sums in metric.questions.values()], float) for part in (0, 1)]
    residuals = ratio_residuals(*columns)
    if unvaried := why_none(residuals):
        return made(value, none_because(unvaried, n))
    rng = np.random.default_rng(stable_seed("plug-in", metric.tier, metric.name))
    drawn = np.clip(ratio + standard_error(residuals) * rng.standard_t(n - 1, draws), 0.0, 1.0)
    ppv = rng.beta(right_hits + 0.5, hits - right_hits + 0.5, draws)
    npv = rng.beta(right_misses + 0.5, misses - right_misses + 0.5, draws)
    tail = (1 - how.confidence) / 2
    low, high = np.quantile(drawn * ppv + (1 - drawn) * (1 - npv), [tail, 1 - tail])
    name = "Monte Carlo of t (ratio, over questions) and Jeffreys (PPV, NPV)"
    return made(value, Interval(float(low), float(high), name, questions=n))


def _agreeing(pairs: Sequence[LabelledPair], judged: str) -> tuple[float, float]:
    """Return how many pairs that the judge called so people call so too, and how many there are.

    Weighted by what each pair stands for, in effective numbers: of n pairs with unequal weights
    sum(w)^2 / sum(w^2) count (Kish 1965); with equal weights all n do.
    """
    of_label = [pair for pair in pairs if pair.judge == judged]
    if not of_label:
        return 0.0, 0.0
    weights = sum(pair.weight for pair in of_label)
    effective = weights**2 / sum(pair.weight**2 for pair in of_label)
    right = sum(pair.weight for pair in of_label if pair.person == judged)
    return effective * right / weights, effective
