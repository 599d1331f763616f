"""What scoring reads: flat rows. Every score is a pure function of these."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from answertrail_pipeline.judging.types import Label, Purpose


@dataclass(frozen=True)
class ScoredVerdict:
    """One verdict of one run, flat.

    Attributes:
        item_id: nugget_id, or the assertion's ordinal.
        item_kind: fact, stance, shift, no_change, event; `assertion` for grounded and cited.
        miss_kind: of a missed stance nugget (purpose recall): timing or substance; None where not classified.
    """

    arm: str
    run_key: str
    repetition: int
    tier: str
    question_id: str
    purpose: Purpose
    item_id: str
    item_kind: str
    label: Label | None
    unscored: str | None = None
    by_rule: bool = False
    detail: str | None = None
    miss_kind: Literal["timing", "substance"] | None = None
    written_by: str = "unknown"


@dataclass(frozen=True)
class ScoredTrail:
    """One trail of one run, flat: the run's profile and the spread of its evidence."""

    arm: str
    run_key: str
    repetition: int
    tier: str
    question_id: str
    question_state: Literal["kept", "segregated"]
    state: Literal["done", "error"]
    steps: int
    searches: int
    chunks: int
    videos: int
    months: int
    gold_videos: int
    gold_months: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: Decimal | None
    reports_retrieval: bool = True
    abstained: bool = False
    error: str | None = None


@dataclass(frozen=True)
class Interval:
    """An interval with how it was made, or None bounds with the reason.

    Attributes:
        method: `BCa bootstrap over questions`, `percentile ...`, `linearised t ...`, or `none`.
        indicative: fewer than 10 questions.
    """

    low: float | None
    high: float | None
    method: str
    reason: str | None = None
    indicative: bool = False


@dataclass(frozen=True)
class Metric:
    """One pooled number with its counts and interval. `value` is None where undefined, with the reason."""

    tier: str
    name: str
    hits: int | None
    total: int | None
    value: float | None
    interval: Interval
    reason: str | None = None
    unscored: int = 0
    bound_low: float | None = None
    """With every unscored item a MISS; None where nothing is unscored."""
    bound_high: float | None = None
