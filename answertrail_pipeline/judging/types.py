"""The judge's words."""

from dataclasses import dataclass
from typing import Literal

Purpose = Literal["recall", "ceiling", "grounded", "cited", "coverage", "same_event", "slot"]
Label = Literal["HIT", "MISS"]
PASSING_CODES = frozenset({"timeout"})
"""Reasons of an unscored verdict that may have passed at the next run, which asks again. Other ones stay: the same
request brings the same reply."""


@dataclass(frozen=True)
class Verdict:
    """The judge's word on one (claim, text) pair.

    Attributes:
        label: None where no verdict could be had; then `unscored` says why. Never guessed.
        by_rule: decided without asking (empty answer, nothing retrieved).
        detail: of the rule-based judge's MISS: `contradicted` or `not_found`.
    """

    verdict_id: str
    purpose: Purpose
    label: Label | None
    reason: str
    by_rule: bool = False
    detail: str | None = None
    unscored: str | None = None
