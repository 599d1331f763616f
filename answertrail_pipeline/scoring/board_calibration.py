"""The calibration of a judge as a scoreboard writes it."""

from answertrail_pipeline.judging.agreement import Agreement, Estimate, Share
from answertrail_pipeline.scoring.board_values import Frozen, Number
from answertrail_pipeline.scoring.types import CalibrationWord, Raters


class BoardEstimate(Frozen):
    """A number with its interval over questions, or the reason why there is none."""

    value: Number | None
    low: Number | None
    high: Number | None
    reason: str | None


class BoardShare(Frozen):
    """A share with its counts and its exact interval."""

    hits: int
    total: int
    value: Number | None
    low: Number | None
    high: Number | None


class BoardRaters(Frozen):
    """How far two raters agree (`judging/agreement.py` explains each number).

    Attributes:
        raters: `judge and people`, or the names of two people.
        tier: `all`, or one tier.
        both, first_only, second_only, neither: pairs by who said HIT.
        weighted_kappa: with the sampling weights; so are `weighted_ppv` and `weighted_npv`.
    """

    raters: str
    tier: str
    pairs: int
    questions: int
    both: int
    first_only: int
    second_only: int
    neither: int
    kappa: BoardEstimate
    ppv: BoardShare
    npv: BoardShare
    weighted_kappa: BoardEstimate
    weighted_ppv: BoardEstimate
    weighted_npv: BoardEstimate


class BoardCalibration(Frozen):
    """What people's labels say of a judge on one purpose (`judging/calibration.py` explains each number).

    Attributes:
        raters: judge and people over all tiers and by tier, then each two people.
        worst, best: kappa if all pairs that a person was unsure of, or people differ on, went against the judge.
        controls: negative controls that the judge called MISS, of those that people did.
    """

    judge_id: str
    purpose: str
    pairs: int
    agreement: Number | None
    kappa: Number | None
    low: Number | None
    high: Number | None
    calibrated: bool
    reason: str | None
    words: str
    raters: tuple[BoardRaters, ...]
    unsure: int
    split: int
    unscored: int
    unlabelled: int
    worst: Number | None
    best: Number | None
    controls: tuple[int, int]
    truth_file: bool
    by_verdict: bool


def board_calibration(word: CalibrationWord) -> BoardCalibration:
    """Return a calibration as it is written."""
    return BoardCalibration(**{**vars(word), "raters": tuple(_raters(one) for one in word.raters)})


def _raters(one: Raters) -> BoardRaters:
    found: Agreement = one.found
    counts = found.counts
    return BoardRaters(
        raters=one.raters,
        tier=one.tier,
        pairs=found.pairs,
        questions=found.questions,
        both=int(counts.both),
        first_only=int(counts.first_only),
        second_only=int(counts.second_only),
        neither=int(counts.neither),
        kappa=BoardEstimate(
            value=found.kappa, low=found.low, high=found.high, reason=found.reason or found.interval_reason
        ),
        ppv=_share(found.ppv),
        npv=_share(found.npv),
        weighted_kappa=_estimate(found.weighted_kappa),
        weighted_ppv=_estimate(found.weighted_ppv),
        weighted_npv=_estimate(found.weighted_npv),
    )


def _share(share: Share) -> BoardShare:
    return BoardShare(**vars(share))


def _estimate(estimate: Estimate) -> BoardEstimate:
    return BoardEstimate(**vars(estimate))
