"""How far the headline can be trusted, in a few sentences that stand beside it.

Each sentence is read off the scoreboard and points to the section that tells all of it.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from answertrail_pipeline.reporting import words
from answertrail_pipeline.scoring.board import (
    BoardComparison,
    BoardCorrection,
    BoardJudge,
    BoardMetric,
    Scoreboard,
)
from answertrail_pipeline.scoring.intervals import MIN_FIRM


@dataclass(frozen=True)
class Caution:
    """One thing that limits what the headline says.

    Attributes:
        section: key of the section that tells more.
    """

    about: str
    says: str
    section: str


def cautions(board: Scoreboard) -> tuple[Caution, ...]:
    """Return what a reader must know before believing the headline."""
    made = [Caution("Judge", says, "judge") for says in _judges(board)]
    made += [Caution("Chance", _chance(board), "meaning")]
    made += [Caution("Differences", says, "differences") for says in _differences(board)]
    return (*made, Caution("Left out", _left_out(board), "left-out"))


def _judges(board: Scoreboard) -> Iterator[str]:
    for judge in board.judges:
        name = "By rules, no model" if judge.mode == "rules" else judge.model
        yield f"{name}: {_calibration(board, judge)}{_corrected(board, judge)}"


def _calibration(board: Scoreboard, judge: BoardJudge) -> str:
    found = [one for one in board.calibrations if (one.judge_id, one.purpose) == (judge.judge_id, "recall")]
    if not found or not found[0].pairs:
        return "nobody labelled what it says of recall; how often it is wrong is not known."
    one = found[0]
    labels = f"{one.pairs} labelled pairs of recall" + (" (a truth file, not people)" if one.truth_file else "")
    if one.kappa is None:
        return f"on {labels} kappa cannot be had ({one.reason}): uncalibrated."
    ends = f" [{one.low:.2f}, {one.high:.2f}]" if one.low is not None and one.high is not None else ""
    word = "calibrated" if one.calibrated else "uncalibrated"
    return f"on {labels} kappa is {one.kappa:.2f}{ends}, {board.min_kappa:g} is asked: {word}."


def _corrected(board: Scoreboard, judge: BoardJudge) -> str:
    """Return how far the judge's errors may have moved headline recall."""
    arms = {arm.name: arm for arm in board.arms if judge.judge_id in arm.judges}
    moved = [
        100 * (one.value - raw.value)
        for one in board.corrections
        if one.arm in arms and (raw := _raw(board, one)) and raw.value is not None and one.value is not None
    ]
    if not moved:
        return ""
    low, high = (words.points(end / 100) for end in (min(moved), max(moved)))
    return f" Corrected for its errors, recall moves by {low if low == high else f'{low} to {high}'} points."


def _raw(board: Scoreboard, one: BoardCorrection) -> BoardMetric | None:
    arm = next(arm for arm in board.arms if arm.name == one.arm)
    return arm.metric(one.tier, "recall") if one.metric == "recall" else None


def _chance(board: Scoreboard) -> str:
    """Return how many questions and runs the intervals of recall rest on."""
    parts = []
    for tier in board.tiers:
        recalls = [found for arm in board.arms if (found := arm.metric(tier, "recall"))]
        rests_on = [one.interval.questions for one in recalls if one.value is not None]
        if not rests_on:
            continue
        few = f" (under {MIN_FIRM}: indicative)" if min(rests_on) < MIN_FIRM else ""
        parts.append(f"{_range(rests_on)} {tier} questions{few}")
    runs = [len(arm.runs) for arm in board.arms]
    alone = ", so how much a second run would differ does not show" if max(runs, default=0) == 1 else ""
    said = f"{words.listed(parts) or 'no question'}; runs of each arm: {_range(runs)}{alone}."
    return f"Intervals are {100 * board.confidence:g}% over questions: {said}"


def _differences(board: Scoreboard) -> Iterator[str]:
    recall = [one for one in board.comparisons if one.metric == "recall"]
    if not recall:
        return
    proven = [one for one in recall if one.p_holm is not None and one.p_holm <= 1 - board.confidence]
    said = f"{len(proven)} of {len(recall)} differences of recall are beyond chance (p after Holm)."
    yield f"{said}{_could_show(recall)}"


def _could_show(recall: list[BoardComparison]) -> str:
    known = [one.detectable for one in recall if one.detectable is not None]
    if not known:
        return ""
    low, high = words.detectable(min(known)), words.detectable(max(known))
    least = low if low == high else f"{low} to {high}"
    return f" To show with 80% power, a difference must be at least {least} points."


def _left_out(board: Scoreboard) -> str:
    kinds = Counter(one.kind for one in board.left_out)
    parts = [_counted(number, kind) for kind, number in sorted(kinds.items())]
    unscored = _counted(sum(one.what == "unscored" for one in board.findings), "verdict")
    return f"{words.listed([*parts, f'{unscored} unscored'])}."


def _counted(number: int, what: str) -> str:
    """Write a number of things.

    >>> _counted(1, "run"), _counted(2, "hypothesis"), _counted(0, "verdict")
    ('1 run', '2 hypotheses', 'no verdicts')
    """
    several = what.removesuffix("is") + "es" if what.endswith("is") else f"{what}s"
    return f"{number or 'no'} {what if number == 1 else several}"


def _range(numbers: list[int]) -> str:
    low, high = min(numbers, default=0), max(numbers, default=0)
    return f"{low}" if low == high else f"{low} to {high}"
