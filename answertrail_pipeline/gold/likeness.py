"""Whether two short texts say the same: for merging claims, stable ids, and near-duplicate questions."""

from collections.abc import Iterable, Sequence

from answertrail_pipeline.language.numbers import numbers
from answertrail_pipeline.language.tokens import tokens

SAME_CLAIM = 0.8
"""Shared tokens (Jaccard) from which two claims with the same numbers are one."""
NEAR_QUESTION = 0.6
"""Shared tokens from which a question is a near-duplicate of another."""


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Return shared over all members; 0 where both sets are empty."""
    return len(a & b) / len(a | b) if a or b else 0.0


class Saying:
    """A text as what is compared of it: its tokens and its numbers."""

    def __init__(self, text: str, language: str) -> None:
        self.plain = " ".join(text.casefold().split())
        self.words = frozenset(tokens(text, language))
        self.numbers = frozenset((quantity.kind, quantity.value) for quantity in numbers(text, language))

    def same_as(self, other: "Saying") -> bool:
        """Whether both say the same: no number differs and nearly all words are shared."""
        if self.plain == other.plain:
            return True
        return self.numbers == other.numbers and jaccard(self.words, other.words) >= SAME_CLAIM


def first_same(saying: Saying, others: Sequence[Saying], free: Iterable[int]) -> int | None:
    """Return the index of the first of the `free` others that says the same; exact repetition goes first."""
    candidates = list(free)
    for i in candidates:
        if others[i].plain == saying.plain:
            return i
    return next((i for i in candidates if saying.same_as(others[i])), None)
