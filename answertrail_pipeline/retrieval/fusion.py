"""Several rankings into one: reciprocal rank fusion, and a floor for each period."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence


def reciprocal_ranks(ranks: Iterable[tuple[str, int]], rrf_k: int) -> dict[str, float]:
    """Return each unit's fused score: the sum of 1 / (rrf_k + rank) over the rankings that hold it.

    Cormack, Clarke and Büttcher, SIGIR 2009.

    Args:
        ranks: unit and rank (from 1), of all rankings together.
    """
    scores: dict[str, float] = defaultdict(float)
    for unit_id, rank in sorted(ranks, key=lambda pair: (pair[0], pair[1])):  # one order of summing: no drift
        scores[unit_id] += 1 / (rrf_k + rank)
    return dict(scores)


def best(scores: Mapping[str, float], count: int) -> list[str]:
    """Return the `count` units with the highest scores, best first; ties go to the smaller id."""
    return sorted(scores, key=lambda unit_id: (-scores[unit_id], unit_id))[:count]


def with_floor(
    overall: Mapping[str, float], by_period: Sequence[Mapping[str, float]], floor: int, count: int
) -> list[str]:
    """Return `count` units: the best `floor` of each period, then the best of the rest over all periods.

    Args:
        overall: fused scores over the whole span.
        by_period: fused scores whose ranks were counted inside each period. Ranks over the span would not do: in
            a period without any candidate of the span they would pick a unit at random.

    Returns:
        The periods' units first, in order of periods.
    """
    kept = dict.fromkeys(unit_id for scores in by_period for unit_id in best(scores, floor))
    kept.update(dict.fromkeys(best(overall, count + len(kept))))
    return list(kept)[:count]
