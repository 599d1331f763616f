"""What the runs did and what it cost: means per trail, cost per nugget expressed, spread of the evidence."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from answertrail_pipeline.gold.types import HEADLINE_KIND
from answertrail_pipeline.scoring.intervals import in_denominator, none_because
from answertrail_pipeline.scoring.items import Outcome
from answertrail_pipeline.scoring.types import Interval, Metric, ScoredTrail

Amount = Callable[[ScoredTrail], float | None]


@dataclass(frozen=True)
class Figure:
    """A ratio of two amounts of a trail; None where one is unknown.

    Attributes:
        of: what is divided by, for people.
        share: it can be at most 1.
        every: over every trail of the tier, not only those of questions that count.
    """

    name: str
    title: str
    of: str
    explanation: str
    above: Amount
    below: Amount = lambda _trail: 1.0
    unknown: str = "not reported"
    share: bool = False
    every: bool = False
    where: Callable[[ScoredTrail], bool] = lambda _trail: True


def _retrieval(amount: Callable[[ScoredTrail], int]) -> Amount:
    return lambda trail: amount(trail) if trail.reports_retrieval else None


def _tokens(trail: ScoredTrail) -> float | None:
    if trail.prompt_tokens is None or trail.completion_tokens is None:
        return None
    return trail.prompt_tokens + trail.completion_tokens


def _cost(trail: ScoredTrail) -> float | None:
    return None if trail.cost_usd is None else float(trail.cost_usd)


def _abstained(trail: ScoredTrail) -> float | None:
    return None if trail.abstained is None else float(trail.abstained)


FIGURES = (
    Figure("steps", "Loops", "trails", "Turns of the agent's loop, a question.", lambda t: t.steps),
    Figure("searches", "Searches", "trails", "Searches, a question.", lambda t: t.searches),
    Figure("chunks", "Chunks retrieved", "trails", "Distinct chunks retrieved, a question.",
           _retrieval(lambda t: t.chunks)),
    Figure("tokens", "Tokens", "trails", "Prompt and completion tokens of the agent, a question.", _tokens),
    Figure("cost_usd", "Dollars", "trails", "Price of the agent's calls, a question.", _cost),
    Figure("months", "Months retrieved", "trails", "Distinct months among the retrieved chunks, a question.",
           _retrieval(lambda t: t.months)),
    Figure("videos", "Videos retrieved", "trails", "Distinct videos among the retrieved chunks, a question.",
           _retrieval(lambda t: t.videos)),
    Figure("months_covered", "Months of the gold retrieved", "months of the gold's evidence",
           "Of the months in which the gold's evidence lies, those retrieved from.",
           _retrieval(lambda t: t.covered_months), lambda t: t.gold_months, share=True),
    Figure("videos_covered", "Videos of the gold retrieved", "videos of the gold's evidence",
           "Of the videos in which the gold's evidence lies, those retrieved from.",
           _retrieval(lambda t: t.covered_videos), lambda t: t.gold_videos, share=True),
    Figure("answered_nothing", "Answered nothing", "trails",
           "The answer states nothing that could be checked, though the corpus holds an answer.",
           _abstained, unknown="assertions not extracted", share=True),
    Figure("abstention", "Abstention", "trails of unanswerable questions",
           "The corpus holds no answer, and the agent states nothing.",
           _abstained, unknown="assertions not extracted", share=True, every=True,
           where=lambda t: t.unanswerable),
)  # fmt: skip
COST_PER_NUGGET = Figure(
    "cost_per_nugget", "Dollars per nugget expressed", "nuggets expressed",
    "Price of the agent's calls over the nuggets that its answers state.", _cost,
)  # fmt: skip


def profile_metrics(
    tier: str, trails: Sequence[ScoredTrail], outcomes: Mapping[str, Counter[Outcome]]
) -> list[Metric]:
    """Return the figures of a tier's trails, over the questions that count.

    Args:
        outcomes: by question id, over the same runs: what was expressed.
    """
    metrics = []
    for figure in FIGURES:
        chosen = [trail for trail in trails if (figure.every or trail.counts) and figure.where(trail)]
        if chosen or not figure.every:
            metrics.append(_figure(tier, figure, chosen))
    counted = [trail for trail in trails if trail.counts]
    return [*metrics, _cost_per_nugget(tier, counted, outcomes)]


def _figure(tier: str, figure: Figure, trails: Sequence[ScoredTrail]) -> Metric:
    sums: dict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    unknown = 0
    for trail in trails:
        above, below = figure.above(trail), figure.below(trail)
        if above is None or below is None:
            unknown += 1
            continue
        hits, total = sums[trail.question_id]
        sums[trail.question_id] = (hits + above, total + below)
    if unknown:
        return undefined(tier, figure.name, f"{figure.unknown} for {unknown} of {len(trails)} trails")
    kept, left_out = in_denominator(sums)
    hits, total = sum(h for h, _ in kept.values()), sum(t for _, t in kept.values())
    if not total:
        return undefined(tier, figure.name, f"no {figure.of}")
    return Metric(tier, figure.name, hits, total, hits / total, NOT_MADE, left_out=left_out, questions=kept)


def _cost_per_nugget(tier: str, trails: Sequence[ScoredTrail], outcomes: Mapping[str, Counter[Outcome]]) -> Metric:
    name = COST_PER_NUGGET.name
    unknown = sum(trail.cost_usd is None for trail in trails)
    if unknown:
        return undefined(tier, name, f"not reported for {unknown} of {len(trails)} trails")
    cost: dict[str, float] = defaultdict(float)
    for trail in trails:
        cost[trail.question_id] += float(trail.cost_usd or 0)
    expressed = {question: _expressed(tier, outcomes.get(question, Counter())) for question in cost}
    spent, nuggets = sum(cost.values()), sum(expressed.values())
    if not nuggets:
        return undefined(tier, name, "no nuggets expressed")
    questions = {question: (cost[question], float(expressed[question])) for question in sorted(cost)}
    interval = NOT_MADE if spent else none_because("nothing was spent", len(cost))
    return Metric(tier, name, spent, nuggets, spent / nuggets, interval, questions=questions)


def turned_over(interval: Interval) -> Interval:
    """Return the interval of 1 / x, given that of x."""
    if interval.low is None or interval.high is None:
        return interval
    if interval.low <= 0:
        return replace(interval, low=None, high=None, method="none", reason="no upper end: it may express nothing")
    return replace(interval, low=1 / interval.high, high=1 / interval.low)


def _expressed(tier: str, outcomes: Counter[Outcome]) -> int:
    kinds = (HEADLINE_KIND[tier], "shift")
    return sum(times for o, times in outcomes.items() if o.kind in kinds and o.recall == "HIT")


NOT_MADE = Interval(None, None, "none", "not asked for")
"""The interval of a number that has none yet."""


def undefined(tier: str, name: str, reason: str, unscored: int = 0) -> Metric:
    """Return a metric that cannot be had, with the reason."""
    return Metric(tier, name, None, None, None, none_because(reason, 0), reason, unscored)
