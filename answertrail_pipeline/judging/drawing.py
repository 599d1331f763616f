"""Which pairs people are asked to label: drawn by a stated design, with the chance of each kept as its weight.

Strata are purpose x tier x the judge's label (x language, where asked for), the same number from each. Inside a
stratum labels are spread over questions: one pair of each in random order, then a second of each, and so on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Drawn(Generic[T]):
    """A drawn member with the inverse of its chance to be drawn."""

    member: T
    weight: float


@dataclass(frozen=True)
class Design:
    """How pairs are drawn; stored with each of them.

    Attributes:
        per_stratum: pairs from each stratum; all where it has fewer.
        controls: negative controls for each purpose and tier.
        purposes: which purposes.
        by_language: draw the same number from each language of the judged texts.
    """

    per_stratum: int = 10
    controls: int = 4
    purposes: tuple[str, ...] = ("recall", "ceiling", "grounded", "cited")
    seed: int = 0
    by_language: bool = False


def draw_spread(members: Mapping[str, Sequence[T]], size: int, random: Random) -> list[Drawn[T]]:
    """Draw members spread over questions, each with its weight.

    With k of a question's n members drawn on average, each of them has the chance k/n: its weight is n/k.

    Args:
        members: by question, in a stable order.
        size: how many in all; every member where there are fewer.
    """
    quotas, expected = _quotas({question: len(members[question]) for question in sorted(members)}, size, random)
    drawn = []
    for question in sorted(members):
        of_question = members[question]
        weight = len(of_question) / expected[question] if expected[question] else 0.0
        for at in sorted(random.sample(range(len(of_question)), quotas[question])):
            drawn.append(Drawn(of_question[at], weight))
    return drawn


def _quotas(sizes: Mapping[str, int], size: int, random: Random) -> tuple[dict[str, int], dict[str, float]]:
    """Return how many members each question gives, and how many it gives on average over all draws."""
    quotas = dict.fromkeys(sizes, 0)
    left = min(size, sum(sizes.values()))
    while left:
        open_questions = [question for question in sizes if quotas[question] < sizes[question]]
        if left < len(open_questions):
            share = left / len(open_questions)
            expected = {q: quotas[q] + (share if q in open_questions else 0.0) for q in sizes}
            for question in random.sample(open_questions, left):
                quotas[question] += 1
            return quotas, expected
        for question in open_questions:
            quotas[question] += 1
        left -= len(open_questions)
    return quotas, {question: float(quota) for question, quota in quotas.items()}
