"""The regression gate on an arm: held against another arm, or against the same arm in an earlier bundle."""

from pathlib import Path

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.reporting.bundle import rescore
from answertrail_pipeline.scoring.board import Scoreboard, from_board
from answertrail_pipeline.scoring.gate import GateResult, gate
from answertrail_pipeline.scoring.metrics import resampling
from answertrail_pipeline.scoring.scoreboard import scoreboard
from answertrail_pipeline.scoring.types import Metric


def gate_arm(
    project: Project, channel: str, arm: str, baseline: str, margin: float, *, noninferior: bool = False
) -> list[GateResult]:
    """Return the gate's word on each tier of an arm.

    Args:
        baseline: another arm of the scoreboard, or a bundle file that holds the arm's earlier scores.

    Raises:
        UserError: an arm is not on its scoreboard, or the bundle cannot be read.
    """
    board = scoreboard(project.database, channel, project.settings)
    is_bundle = Path(baseline).is_file()
    old_board, old_arm = (rescore(Path(baseline)).board, arm) if is_bundle else (board, baseline)
    new, old = _by_tier(board, arm), _by_tier(old_board, old_arm)
    names = (arm, f"{old_arm} in {baseline}" if is_bundle else old_arm)
    how = resampling(project.settings.scoring)
    return [
        gate(tier, new[tier], old[tier], margin, how, noninferior=noninferior, names=names)
        for tier in sorted(new.keys() & old.keys())
    ]


def _by_tier(board: Scoreboard, arm: str) -> dict[str, dict[str, Metric]]:
    found = next((each for each in board.arms if each.name == arm), None)
    if found is None:
        known = ", ".join(each.name for each in board.arms)
        raise UserError(f"No arm `{arm}` on the scoreboard of {board.channel}.", f"Arms there: {known}.")
    tiers: dict[str, dict[str, Metric]] = {}
    for metric in found.metrics:
        tiers.setdefault(metric.tier, {})[metric.name] = from_board(metric)
    return tiers
