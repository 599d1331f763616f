"""From tallies and trails to metrics: pooled over questions, with counts, bounds and an interval each."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.scoring.intervals import (
    Resampling,
    in_denominator,
    none_because,
    ratio_intervals,
)
from answertrail_pipeline.scoring.items import Outcome, Tally, tally
from answertrail_pipeline.scoring.profile import (
    COST_PER_NUGGET,
    FIGURES,
    NOT_MADE,
    profile_metrics,
    turned_over,
    undefined,
)
from answertrail_pipeline.scoring.readiness import refusals
from answertrail_pipeline.scoring.shares import SHARES, Share, weigh
from answertrail_pipeline.scoring.types import Metric, QuestionSums, ScoredTrail, ScoredVerdict
from answertrail_pipeline.settings import ScoringSettings

TIERS = ("factual", "longitudinal")
"""The tiers scored here; biographies are scored by FactNet."""


def score(
    verdicts: Iterable[ScoredVerdict], trails: Iterable[ScoredTrail], settings: ScoringSettings
) -> list[Metric]:
    """Return every metric of one run, or of several runs of one arm pooled.

    Args:
        verdicts: in any order.
        trails: every question of every run, those without a trail as `open`.

    Raises:
        UserError: a unit is open or in error, or too many verdicts are unscored; every reason is named.
    """
    tallies = list(tally(sorted(verdicts, key=lambda row: (row.run_key, row.question_id))))
    trails = list(trails)
    if reasons := refusals(tallies, trails, settings.max_unscored_share):
        raise UserError(
            f"These runs cannot be pooled: {'; '.join(reasons)}.", "Finish them with `answertrail run`."
        )
    return score_tallies(tallies, trails, resampling(settings))


def resampling(settings: ScoringSettings) -> Resampling:
    """Return how the settings want intervals made."""
    return Resampling(settings.confidence, settings.resamples)


def score_tallies(tallies: Iterable[Tally], trails: Sequence[ScoredTrail], how: Resampling | None) -> list[Metric]:
    """Return every metric, tier by tier; without intervals where `how` is None.

    Questions that do not count (segregated, without nuggets) are in no denominator.
    """
    counted = {(trail.run_key, trail.question_id) for trail in trails if trail.counts}
    by_tier: dict[str, dict[str, Counter[Outcome]]] = {tier: defaultdict(Counter) for tier in TIERS}
    for made in tallies:
        if (made.run_key, made.question_id) in counted:
            by_tier[made.tier][made.question_id].update(made.outcomes)
    metrics: list[Metric] = []
    for tier in TIERS:
        of_tier = [trail for trail in trails if trail.tier == tier]
        if of_tier:
            blind = any(trail.counts and not trail.reports_retrieval for trail in of_tier)
            shares = share_metrics(tier, by_tier[tier], blind)
            plain = shares + profile_metrics(tier, of_tier, by_tier[tier])
            metrics += with_intervals(tier, plain, how) if how else plain
    return metrics


def with_intervals(tier: str, metrics: Sequence[Metric], how: Resampling) -> list[Metric]:
    """Return the metrics of a tier with their intervals; all that are over the same questions share their draws.

    Dollars per nugget have the interval of nuggets per dollar, turned over: a question that expressed nothing
    still cost something and must stay in.
    """
    open_ones = {metric.name: metric for metric in metrics if metric.interval == NOT_MADE}
    sums: dict[str, QuestionSums] = {name: metric.questions for name, metric in open_ones.items()}
    cost = COST_PER_NUGGET.name
    if cost in sums:
        sums[cost] = {question: (nuggets, spent) for question, (spent, nuggets) in sums[cost].items()}
    upper = {name: 1.0 if name in _AT_MOST_ONE else inf for name in sums}
    found = ratio_intervals(sums, tier, how, upper)
    if cost in found:
        found[cost] = turned_over(found[cost])
    return [replace(metric, interval=found.get(metric.name, metric.interval)) for metric in metrics]


def share_metrics(tier: str, outcomes: Mapping[str, Counter[Outcome]], blind: bool = False) -> list[Metric]:
    """Return the shares of a tier, each with its macro mean where that is shown.

    Args:
        outcomes: by question id, over the runs that are pooled.
        blind: whether an agent does not tell what it retrieved, so that nothing can be asked of its evidence.
    """
    metrics: list[Metric] = []
    for share in SHARES:
        if tier not in share.tiers:
            continue
        sums = {question: _sums(share, tier, outcomes[question]) for question in sorted(outcomes)}
        metric = _share(share, tier, sums, blind)
        if share.optional and not metric.total and not metric.unscored:
            continue
        metrics.append(metric)
        if share.macro:
            metrics.append(_macro(metric, sums))
    return metrics


def _share(share: Share, tier: str, sums: Mapping[str, "Sums"], blind: bool) -> Metric:
    pooled = Sums(*map(sum, zip(*sums.values(), strict=True))) if sums else Sums()
    no_trail = "no trail" if blind and _OF_EVIDENCE & set(share.purposes) else None
    if pooled.absent:
        why = no_trail or f"{pooled.absent} of the {share.of} have no verdict for this"
        return undefined(tier, share.name, why, pooled.unscored)
    kept, left_out = in_denominator({question: (one.hits, one.total) for question, one in sums.items()})
    lacking = f"no {share.of} with a verdict, {pooled.unscored} unscored" if pooled.unscored else f"no {share.of}"
    reason = None if pooled.total else no_trail or lacking
    return Metric(
        tier,
        share.name,
        pooled.hits,
        pooled.total,
        pooled.hits / pooled.total if pooled.total else None,
        none_because(reason, 0) if reason else NOT_MADE,
        reason,
        pooled.unscored,
        pooled.low_hits / pooled.low_total if pooled.unscored and pooled.low_total else None,
        pooled.high_hits / pooled.high_total if pooled.unscored and pooled.high_total else None,
        pooled.not_found,
        left_out,
        kept,
    )


class Sums(NamedTuple):
    """What the outcomes of a question, or of all, add to a share; `low` and `high` as in `Weighed`."""

    hits: int = 0
    total: int = 0
    unscored: int = 0
    absent: int = 0
    low_hits: int = 0
    low_total: int = 0
    high_hits: int = 0
    high_total: int = 0
    not_found: int = 0


def _sums(share: Share, tier: str, outcomes: Counter[Outcome]) -> Sums:
    total = [0] * len(Sums._fields)
    for outcome, times in outcomes.items():
        adds = weigh(share.rule, tier, outcome)
        missed = adds.total > adds.hits and len(share.purposes) == 1 and share.purposes[0] in outcome.not_found
        row = (adds.hits, adds.total, adds.unscored, adds.absent, *adds.low, *adds.high, missed)
        total = [so_far + times * more for so_far, more in zip(total, row, strict=True)]
    return Sums(*total)


def _macro(micro: Metric, sums: Mapping[str, Sums]) -> Metric:
    """Return the mean over questions of a pooled share: each question counts the same."""
    values = {question: hits / total for question, (hits, total) in micro.questions.items()}
    name = f"{micro.name}_macro"
    if not values:
        return undefined(micro.tier, name, micro.reason or "no question", micro.unscored)
    lows = [one.low_hits / one.low_total for one in sums.values() if one.low_total]
    highs = [one.high_hits / one.high_total for one in sums.values() if one.high_total]
    return Metric(
        micro.tier,
        name,
        None,
        len(values),
        sum(values.values()) / len(values),
        NOT_MADE,
        unscored=micro.unscored,
        bound_low=sum(lows) / len(lows) if micro.unscored else None,
        bound_high=sum(highs) / len(highs) if micro.unscored else None,
        left_out=micro.left_out,
        questions={question: (value, 1.0) for question, value in values.items()},
    )


_OF_EVIDENCE = frozenset({"ceiling", "grounded", "cited"})
_AT_MOST_ONE = {
    *(share.name for share in SHARES),
    *(f"{share.name}_macro" for share in SHARES),
    *(figure.name for figure in FIGURES if figure.share),
}
