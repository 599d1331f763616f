"""The judge's words."""

from dataclasses import dataclass
from typing import Literal

Purpose = Literal["recall", "ceiling", "grounded", "cited", "coverage", "same_event", "slot"]
Label = Literal["HIT", "MISS"]


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
