"""The regression gate on an arm: held against another arm, or against its own earlier scores in a file."""

from pathlib import Path
from zipfile import is_zipfile

from pydantic import ValidationError

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
        baseline: another arm of the scoreboard, or a file that holds the arm's earlier scores: a bundle, or the
            `scoreboard.json` of a report.

    Raises:
        UserError: an arm is not on its scoreboard, or the file cannot be read.
    """
    board = scoreboard(project.database, channel, project.settings)
    old_board, old_arm, old_name = board, baseline, baseline
    if Path(baseline).is_file():
        old_board, old_arm = _read(Path(baseline)), arm
        old_name = f"{arm} in {baseline} (gold {old_board.gold_version})"
    new, old = _by_tier(board, arm), _by_tier(old_board, old_arm)
    names = (arm, old_name)
    how = resampling(project.settings.scoring)
    return [
        gate(tier, new[tier], old[tier], margin, how, noninferior=noninferior, names=names)
        for tier in sorted(new.keys() & old.keys())
    ]


def _read(path: Path) -> Scoreboard:
    if is_zipfile(path):
        return rescore(path).board
    try:
        return Scoreboard.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise UserError(
            f"{path} is neither a bundle nor a scoreboard of this version.",
            "Give a zip file of `answertrail export --bundle`, or the scoreboard.json of a report.",
        ) from error


def _by_tier(board: Scoreboard, arm: str) -> dict[str, dict[str, Metric]]:
    found = next((each for each in board.arms if each.name == arm), None)
    if found is None:
        known = ", ".join(each.name for each in board.arms)
        raise UserError(f"No arm `{arm}` on the scoreboard of {board.channel}.", f"Arms there: {known}.")
    tiers: dict[str, dict[str, Metric]] = {}
    for metric in found.metrics:
        tiers.setdefault(metric.tier, {})[metric.name] = from_board(metric)
    return tiers
