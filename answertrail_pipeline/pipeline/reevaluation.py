"""Re-evaluations due, and what came out of the newest one, for whoever schedules or must be told."""

from collections.abc import Iterable
from typing import NamedTuple

from answertrail_pipeline.agents.runs import Run
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.pipeline.evaluation import begin_series, declare_reevaluation
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.scoring.reevaluations import Reevaluation
from answertrail_pipeline.scoring.series import SeriesPoint, load_series, newest, series_stage
from answertrail_pipeline.store.stage_run import run_stage


class Due(NamedTuple):
    """A re-evaluation of one channel with its runs."""

    reevaluation: Reevaluation
    runs: list[Run]


async def due_reevaluation(project: Project, channel: str) -> Due:
    """Declare a channel's next re-evaluation on its newest gold, keeping first what its runs showed until now.

    Raises:
        UserError: there is no gold, no chunk up to its date, or no such arm.
    """
    gold = load_gold(project.database, channel)
    if gold is None:
        raise UserError(f"No gold of {channel} is frozen.", "Freeze one with `answertrail gold freeze`.")
    begin_series(project, channel, gold)
    await run_stage(project.database, series_stage(project.database, channel, project.settings))
    return Due(*declare_reevaluation(project, channel, gold))


def newest_points(project: Project, channel: str) -> list[SeriesPoint]:
    """Return the points of a channel's newest re-evaluation on its newest gold."""
    gold = load_gold(project.database, channel)
    if gold is None:
        return []
    with project.database.begin() as connection:
        return newest(load_series(connection, channel, gold.gold_version))


def failures(points: Iterable[SeriesPoint]) -> list[str]:
    """Return the sentence of each gate that failed."""
    return [gate.sentence for point in points for gate in point.gates if gate.word == "failed"]
