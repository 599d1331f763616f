"""What runs took a person: searches, calls, tokens, cost, seconds; and which arms nobody beats on both sides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PersonCost:
    """What one run took for one person; a failed run keeps its cost.

    Attributes:
        tokens: in and out of supervisor, searcher and coder, never of a judge; None where a provider did not say.
        domains, languages: how many different ones among the documents kept.
    """

    arm: str
    person: str
    failed: bool
    searches: int
    calls: int
    tokens: int | None
    cost_usd: float | None
    seconds: float | None
    domains: int = 0
    languages: int = 0
    malformed: int = 0


@dataclass(frozen=True)
class Spread:
    """Mean, median and 90th percentile over persons (numpy's linear one); None where unknown for anybody."""

    mean: float | None
    median: float | None
    p90: float | None


MEASURES = ("searches", "calls", "tokens", "cost_usd", "seconds", "domains", "languages")


def spread(costs: Sequence[PersonCost]) -> dict[str, Spread]:
    """Return the spread of every measure over persons."""
    return {name: _spread([getattr(cost, name) for cost in costs]) for name in MEASURES}


def pareto(points: Mapping[str, tuple[float, float]]) -> frozenset[str]:
    """Return the arms that no other beats: (mean steps, F1), fewer steps and higher F1 are better.

    >>> sorted(pareto({"a": (1, 0.5), "b": (2, 0.6), "c": (3, 0.55)}))
    ['a', 'b']
    """
    return frozenset(
        name
        for name, (steps, f1) in points.items()
        if not any(
            other != name and s <= steps and f >= f1 and (s, f) != (steps, f1) for other, (s, f) in points.items()
        )
    )


def _spread(values: Sequence[float | None]) -> Spread:
    import numpy as np

    known = [float(value) for value in values if value is not None]
    if not known or len(known) < len(values):
        return Spread(None, None, None)
    return Spread(float(np.mean(known)), float(np.median(known)), float(np.percentile(known, 90)))
