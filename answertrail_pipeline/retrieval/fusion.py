"""Several rankings into one: reciprocal rank fusion, and a share for each period."""

from collections import Counter, defaultdict
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


def spread(
    scores: Mapping[str, float],
    period_of: Mapping[str, int],
    weight: float,
    count: int,
    first: Sequence[str] = (),
) -> list[str]:
    """Return `count` units in the order in which they are chosen: always the one that is worth most just then.

    Each chunk that a period already has takes something off its others: a unit is worth its score times
    `weight` for every one of its period that is already chosen. So a loud month does not take every place, and
    a silent one gets none that it does not deserve, as it would by a quota.

    Args:
        period_of: the period of each unit of `scores` and of `first`.
        weight: above 0; at 1 the highest scores are taken.
        first: units that are chosen in any case, before all others.
    """
    chosen = list(dict.fromkeys(first))[:count]
    taken = Counter(period_of[unit_id] for unit_id in chosen)
    left: dict[int, list[str]] = defaultdict(list)
    there = set(chosen)
    for unit_id in reversed(best(scores, len(scores))):  # the best of each period stands last
        if unit_id not in there:
            left[period_of[unit_id]].append(unit_id)
    while left and len(chosen) < count:
        worth = {period: scores[units[-1]] * weight ** taken[period] for period, units in left.items()}
        period = min(left, key=lambda one: (-worth[one], left[one][-1]))
        chosen.append(left[period].pop())
        taken[period] += 1
        if not left[period]:
            del left[period]
    return chosen
