"""What must hold between the metrics of a run or arm, whatever the data. Checked on every scoreboard.

Each number comes from a rule of its own (`shares.py`), so an identity that fails is a bug in a rule or the rows.
An item with one word unscored is in some shares and not in others; the `unscored` counts account for it exactly.
"""

from collections.abc import Iterable, Sequence

from answertrail_pipeline.scoring.types import Metric


def violated_identities(metrics: Iterable[Metric]) -> list[str]:
    """Return every identity that does not hold, with its numbers; empty where all hold.

    Identities over a metric that is undefined are not checked.
    """
    by_tier: dict[str, dict[str, Metric]] = {}
    for metric in metrics:
        by_tier.setdefault(metric.tier, {})[metric.name] = metric
    return [f"{tier}: {wrong}" for tier in sorted(by_tier) for wrong in _of_tier(by_tier[tier])]


def _of_tier(found: dict[str, Metric]) -> list[str]:
    def known(*names: str) -> list[Metric] | None:
        metrics = [found[name] for name in names if name in found]
        defined = len(metrics) == len(names) and all(m.hits is not None and m.total is not None for m in metrics)
        return metrics if defined else None

    checks: list[str | None] = []
    if m := known("recall", "synthesis_misses", "retrieval_misses"):
        recall, synthesis, retrieval = m
        half = synthesis.unscored - recall.unscored
        checks.append(_equal("misses = synthesis + retrieval misses",
                             _misses(recall), _hits(synthesis, retrieval) + half))  # fmt: skip
    if m := known("conversion", "ceiling", "synthesis_misses"):
        conversion, ceiling, synthesis = m
        half = conversion.unscored - ceiling.unscored
        checks.append(_equal("conversion hits = supported - synthesis misses",
                             _hits(conversion), _hits(ceiling) - _hits(synthesis) - half))  # fmt: skip
    if m := known("violations", "recall", "conversion"):
        violations, recall, conversion = m
        half = violations.unscored - recall.unscored
        checks.append(_equal("violations = recall hits - conversion hits",
                             _hits(violations), _hits(recall) - _hits(conversion) - half))  # fmt: skip
    if m := known("recall", "timing_misses", "substance_misses"):
        recall, timing, substance = m
        checks.append(_equal("timing + substance = missed stances", _hits(timing, substance), _misses(recall)))
    if m := known("recall_with_shift", "recall", "shift_pass"):
        both, stance, shift = m
        checks.append(
            _equal("recall with shift = pooled stance + shift (hits)", _hits(both), _hits(stance, shift))
        )
        checks.append(_equal("recall with shift = pooled stance + shift (all)", both.total or 0,
                             (stance.total or 0) + (shift.total or 0)))  # fmt: skip
    checks += [_within(metric) for _, metric in sorted(found.items())]
    return [check for check in checks if check]


def _hits(*metrics: Metric) -> float:
    return sum(metric.hits or 0 for metric in metrics)


def _misses(metric: Metric) -> float:
    return (metric.total or 0) - (metric.hits or 0)


def _equal(name: str, left: float, right: float) -> str | None:
    return None if left == right else f"{name} fails: {left:g} against {right:g}"


def _within(metric: Metric) -> str | None:
    """Check that a number lies in its own bounds: all unscored against the arm .. all for it."""
    ends: Sequence[float | None] = (metric.bound_low, metric.value, metric.bound_high)
    known = [end for end in ends if end is not None]
    return None if known == sorted(known) else f"{metric.name} lies outside its own bounds: {known}"
