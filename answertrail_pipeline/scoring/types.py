"""What scoring reads and gives back: flat rows in, numbers with their counts and intervals out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from answertrail_pipeline.judging.agreement import Agreement
from answertrail_pipeline.judging.types import Label, Purpose

QuestionSums = Mapping[str, tuple[float, float]]
"""By question id: the sums (hits, total) of one ratio over a question's nuggets or assertions and its runs."""


@dataclass(frozen=True, slots=True)
class ScoredVerdict:
    """One verdict of one run, flat.

    Attributes:
        item_id: nugget_id, or the assertion's ordinal.
        item_kind: fact, stance, shift, no_change, event; `assertion` for grounded and cited.
        label: None where no verdict could be had; `unscored` says why.
        miss_kind: of a missed stance nugget (purpose recall): timing or substance; None where not classified.
        written_by: who wrote the nugget: `person`, `model`, `rules` or `unknown`.
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


@dataclass(frozen=True, slots=True)
class ScoredTrail:
    """One trail of one run, flat: whether it counts, its profile, and the spread of its evidence.

    Attributes:
        nuggets: how many nuggets the gold has for the question; without any it is in no denominator.
        unanswerable: the corpus holds no answer; the right thing is to say so.
        abstained: the answer states nothing that could be checked; None where its assertions are not known.
        steps: turns of the agent's loop.
        gold_videos, gold_months: distinct videos and months of the gold's evidence; `covered_*` of them retrieved.
    """

    arm: str
    run_key: str
    repetition: int
    tier: str
    question_id: str
    question_state: Literal["kept", "segregated"]
    state: Literal["done", "error", "open"]
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
    nuggets: int = 0
    covered_videos: int = 0
    covered_months: int = 0
    reports_retrieval: bool = True
    unanswerable: bool = False
    abstained: bool | None = None
    error: str | None = None

    @property
    def counts(self) -> bool:
        """Whether the question is in the denominators: kept, and with nuggets."""
        return self.question_state == "kept" and self.nuggets > 0


@dataclass(frozen=True)
class JudgeUsed:
    """A judge whose verdicts a run was scored with."""

    judge_id: str
    model: str
    family: str | None
    mode: str
    prompt_hash: str


@dataclass(frozen=True)
class ModelCheck:
    """How many invented items of a task a model got right (`answertrail check-model`).

    Attributes:
        config: the parameters that it was checked with.
        kappa: of the labels it gave, for tasks that label.
    """

    model: str
    task: str
    prompt_hash: str
    config: dict[str, Any]
    right: int
    items: int
    kappa: float | None


@dataclass(frozen=True)
class Raters:
    """How far two raters agree.

    Attributes:
        raters: `judge and people`, or the names of two people.
        tier: `all`, or one tier.
    """

    raters: str
    tier: str
    found: Agreement


@dataclass(frozen=True)
class CalibrationWord:
    """What the calibration says of a judge on one purpose (judging/calibration.py).

    Attributes:
        calibrated: kappa reaches the gate on the current prompt and model.
        reason: why it does not, or why kappa is None.
        words: all of it in one line.
        raters: judge and people over all tiers and by tier, then each two people.
        worst, best: kappa with the pairs that people were unsure of, or differ on, against the judge or with it.
        controls: negative controls that the judge called MISS, of those that people did.
        truth_file: some labels come from the file that a demonstration was made from, not from a person.
        by_verdict: the pairs were drawn by this judge's own verdicts.
    """

    judge_id: str
    purpose: Purpose
    pairs: int
    agreement: float | None
    kappa: float | None
    low: float | None
    high: float | None
    calibrated: bool
    reason: str | None = None
    words: str = ""
    raters: tuple[Raters, ...] = ()
    unsure: int = 0
    split: int = 0
    unscored: int = 0
    unlabelled: int = 0
    worst: float | None = None
    best: float | None = None
    controls: tuple[int, int] = (0, 0)
    truth_file: bool = False
    by_verdict: bool = True


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A judged pair on whose label the people who labelled it blind agree.

    Attributes:
        weight: how many pairs of the population it stands for (the inverse of its chance to be drawn).
        by_verdict: it was drawn by the judge's own verdict, so that PPV and NPV are population values.
    """

    judge_id: str
    pair_id: str
    purpose: Purpose
    tier: str
    question_id: str
    judge: Label
    person: Label
    weight: float = 1.0
    by_verdict: bool = True


@dataclass(frozen=True)
class Interval:
    """An interval with how it was made, or None bounds with the reason.

    Attributes:
        method: `BCa bootstrap over questions`, `percentile ...`, `linearised t ...`, or `none`.
        indicative: fewer than 10 questions.
        questions: how many questions it rests on.
    """

    low: float | None
    high: float | None
    method: str
    reason: str | None = None
    indicative: bool = False
    questions: int = 0


@dataclass(frozen=True)
class Metric:
    """One pooled number with its counts and interval. `value` is None where undefined, with the reason.

    Attributes:
        hits: the sum above the line; a whole number for shares, dollars or tokens for a profile.
        questions: by question id, the sums that `hits` and `total` are made of.
        not_found: misses in which the rule-based judge found no contradiction, only no match.
        left_out: questions without anything in this denominator, which left before resampling.
        bound_low: the least it can be, whatever the unscored items are; None where nothing is unscored.
        bound_high: the most it can be.
    """

    tier: str
    name: str
    hits: float | None
    total: float | None
    value: float | None
    interval: Interval
    reason: str | None = None
    unscored: int = 0
    bound_low: float | None = None
    bound_high: float | None = None
    not_found: int = 0
    left_out: tuple[str, ...] = ()
    questions: QuestionSums = field(default_factory=dict, repr=False)
