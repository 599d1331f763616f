"""The scoreboard as typed, serialisable values. The same rows give the same bytes; no time of day is in it."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Literal

from pydantic import BaseModel, Field

from answertrail_pipeline.scoring.board_calibration import BoardCalibration
from answertrail_pipeline.scoring.board_values import Frozen, Number
from answertrail_pipeline.scoring.compare import COMPARED, Comparison
from answertrail_pipeline.scoring.correction import Corrected
from answertrail_pipeline.scoring.hypotheses import Registration
from answertrail_pipeline.scoring.types import Interval, JudgeUsed, Metric

FORMAT: Literal["answertrail-scoreboard/2"] = "answertrail-scoreboard/2"


class BoardInterval(Frozen):
    """Two ends with the method, or no ends with the reason."""

    low: Number | None
    high: Number | None
    method: str
    reason: str | None
    indicative: bool
    questions: int


class BoardMetric(Frozen):
    """One number of one arm in one tier.

    Attributes:
        notes: what must be read with it, such as `judge: uncalibrated`.
        not_found: of the misses, those that a rule-based judge did not find but could not contradict either.
        questions: by question id, the sums of hits and total; kept for the numbers that are compared.
    """

    tier: str
    name: str
    hits: Number | None
    total: Number | None
    value: Number | None
    interval: BoardInterval
    reason: str | None = None
    unscored: int = 0
    bound_low: Number | None = None
    bound_high: Number | None = None
    not_found: int = 0
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    questions: dict[str, tuple[Number, Number]] = Field(default_factory=dict)


class BoardRunMetric(Frozen):
    """One number of one run, for the range over runs."""

    run_key: str
    tier: str
    name: str
    hits: Number | None
    total: Number | None
    value: Number | None


class BoardJudgedAlso(Frozen):
    """Headline recall by another judge, over the same nuggets and answers."""

    judge_id: str
    model: str
    family: str | None
    recall: BoardMetric


class BoardArm(Frozen):
    """One line of the scoreboard: the runs of one arm over one corpus, pooled.

    Attributes:
        name: the arm's name; with `@cN` where the arm ran over several corpora, `.eN` where in several epochs.
        notes: what must be read with every number of it.
    """

    name: str
    arm: str
    arm_hash: str
    agent: str
    model: str
    family: str | None
    retriever: str | None
    corpus_id: str
    corpus: str
    runs: tuple[str, ...]
    judges: tuple[str, ...]
    notes: tuple[str, ...]
    metrics: tuple[BoardMetric, ...]
    by_run: tuple[BoardRunMetric, ...]
    by_other_judges: tuple[BoardJudgedAlso, ...]

    def metric(self, tier: str, name: str) -> BoardMetric | None:
        """Return one number, or None where the arm has no such line."""
        return next((one for one in self.metrics if (one.tier, one.name) == (tier, name)), None)


class BoardCell(Frozen):
    """How one run did on one question: headline nuggets stated, retrieved and all; unscored ones apart."""

    run_key: str
    stated: int
    retrieved: int | None
    total: int
    unscored: int


class BoardQuestion(Frozen):
    """One gold question; one that is in no denominator says why."""

    question_id: str
    tier: str
    nuggets: int
    out: Literal["segregated", "no nuggets"] | None
    unanswerable: bool
    cells: tuple[BoardCell, ...]


class BoardFinding(Frozen):
    """One thing to read one by one: a `violation` (stated, never retrieved) or an `unscored` verdict."""

    what: str
    arm: str
    run_key: str
    tier: str
    question_id: str
    item_id: str
    purpose: str
    detail: str


class BoardComparison(Frozen):
    """A difference of two arms, new minus old (`scoring/compare.py` explains each field)."""

    tier: str
    metric: str
    new: str
    old: str
    questions: int
    not_shared: tuple[str, ...]
    new_hits: Number
    new_total: Number
    old_hits: Number
    old_total: Number
    difference: Number | None
    interval: BoardInterval
    p: Number | None
    p_holm: Number | None
    detectable: Number | None
    hypothesis: str | None
    direction: str | None
    holds: bool | None


class BoardCorrection(Frozen):
    """A judge-corrected score, beside the raw one (`scoring/correction.py`)."""

    arm: str
    tier: str
    metric: str
    method: str
    value: Number | None
    interval: BoardInterval
    pairs: int
    note: str


class BoardJudge(Frozen):
    """A judge whose verdicts were used."""

    judge_id: str
    model: str
    family: str | None
    mode: str
    prompt_hash: str


class BoardRegistration(Frozen):
    """The pre-registration: hash and time of the file, and whether it was committed before every run."""

    sha256: str
    committed_at: str | None
    before_runs: bool
    problem: str | None
    hypotheses: tuple[str, ...]


class LeftOut(Frozen):
    """What is not in the numbers, and why."""

    kind: Literal["run", "question", "gold version", "hypothesis"]
    id: str
    reason: str


Kind = Literal["share", "mean", "ratio"]


class BoardDefinition(Frozen):
    """What a number means, so that a table can be read without the code."""

    name: str
    title: str
    kind: Kind
    of: str
    explanation: str


class Scoreboard(Frozen):
    """All arms of a channel side by side, with what is needed to judge and repeat the numbers.

    Attributes:
        policy: who decided the gold: `people`, or `auto`.
        notes: what must be read with every number.
        task_hashes: prompt hashes that the gold was made with.
    """

    format: Literal["answertrail-scoreboard/2"] = FORMAT
    channel: str
    gold_version: str
    gold_as_of: str
    gold_sha256: str
    policy: str
    reviewers: tuple[str, ...]
    gold_writers: tuple[str, ...]
    task_hashes: dict[str, str]
    confidence: float
    resamples: int
    max_unscored_share: float
    min_kappa: float
    notes: tuple[str, ...]
    arms: tuple[BoardArm, ...]
    comparisons: tuple[BoardComparison, ...]
    corrections: tuple[BoardCorrection, ...]
    questions: tuple[BoardQuestion, ...]
    findings: tuple[BoardFinding, ...]
    judges: tuple[BoardJudge, ...]
    calibrations: tuple[BoardCalibration, ...]
    registration: BoardRegistration | None
    left_out: tuple[LeftOut, ...]
    broken_identities: tuple[str, ...]
    definitions: tuple[BoardDefinition, ...]

    @property
    def tiers(self) -> tuple[str, ...]:
        """The tiers that have a number, in their usual order."""
        return tuple(
            tier
            for tier in ("factual", "longitudinal")
            if any(one.tier == tier for arm in self.arms for one in arm.metrics)
        )

    def definition(self, name: str) -> BoardDefinition:
        """Return what a number means; `KeyError` where there is none of that name."""
        return next(one for one in self.definitions if one.name == name)


def to_bytes(board: BaseModel) -> bytes:
    """Return a scoreboard as JSON with a fixed order and layout."""
    return (
        json.dumps(board.model_dump(mode="json"), sort_keys=True, ensure_ascii=False, indent=1) + "\n"
    ).encode()


def board_interval(interval: Interval) -> BoardInterval:
    """Return an interval as it is written."""
    return BoardInterval(**asdict(interval))


def board_metric(metric: Metric, notes: Sequence[str]) -> BoardMetric:
    """Return a metric as it is written; the sums by question only where it is compared."""
    keep = metric.name in COMPARED
    return BoardMetric(
        tier=metric.tier,
        name=metric.name,
        hits=metric.hits,
        total=metric.total,
        value=metric.value,
        interval=board_interval(metric.interval),
        reason=metric.reason,
        unscored=metric.unscored,
        bound_low=metric.bound_low,
        bound_high=metric.bound_high,
        not_found=metric.not_found,
        left_out=metric.left_out,
        notes=tuple(notes),
        questions=dict(metric.questions) if keep else {},
    )


def from_board(metric: BoardMetric) -> Metric:
    """Return a written metric as scoring knows it: for the gate against a scoreboard file."""
    return Metric(
        metric.tier,
        metric.name,
        metric.hits,
        metric.total,
        metric.value,
        Interval(**metric.interval.model_dump()),
        metric.reason,
        metric.unscored,
        metric.bound_low,
        metric.bound_high,
        metric.not_found,
        metric.left_out,
        metric.questions,
    )


def board_comparison(comparison: Comparison) -> BoardComparison:
    """Return a comparison as it is written."""
    values = {**vars(comparison), "interval": board_interval(comparison.interval)}
    return BoardComparison(**values)


def board_correction(arm: str, made: Corrected) -> BoardCorrection:
    """Return a corrected score as it is written."""
    values = {**vars(made), "interval": board_interval(made.interval)}
    return BoardCorrection(arm=arm, **values)


def board_judge(judge: JudgeUsed) -> BoardJudge:
    """Return a judge as it is written."""
    return BoardJudge(**vars(judge))


def board_registration(registration: Registration, *, before_runs: bool) -> BoardRegistration:
    """Return the pre-registration as it is written."""
    return BoardRegistration(
        sha256=registration.sha256,
        committed_at=registration.committed_at.isoformat() if registration.committed_at else None,
        before_runs=before_runs,
        problem=registration.problem,
        hypotheses=tuple(line.id for line in registration.hypotheses),
    )
