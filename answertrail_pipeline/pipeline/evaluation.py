"""Which runs an evaluation is made of: arms x repetitions over one gold version and the corpus of today."""

from collections.abc import Sequence

from answertrail_pipeline.agents.runs import Run, declare_run
from answertrail_pipeline.corpus.snapshot import snapshot
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.settings import CONFIG_NAME


def declare_runs(
    project: Project, channel: str, gold: GoldVersion, arms: Sequence[str], repetitions: int, epoch: int = 1
) -> list[Run]:
    """Declare the runs of some arms on a gold version over the corpus of today; declared ones stay as they are.

    Raises:
        UserError: an arm is not configured, or the channel has no chunks.
    """
    corpus = snapshot(project.database, channel)
    return [
        declare_run(project.database, channel, arm, project.settings, gold, corpus, repetition, epoch)
        for arm in chosen_arms(project, arms)
        for repetition in range(1, repetitions + 1)
    ]


def chosen_arms(project: Project, arms: Sequence[str] = ()) -> list[str]:
    """Return the named arms, or all that are configured.

    Raises:
        UserError: one is not configured, or there is none.
    """
    known = sorted(project.settings.arms)
    if not known:
        raise UserError(f"No arm in {CONFIG_NAME}.", "Add a section [arms.NAME]; see docs/agents.md.")
    for arm in arms:
        if arm not in known:
            raise UserError(f"No arm `{arm}` in {CONFIG_NAME}.", f"Known arms: {', '.join(known)}.")
    return sorted(set(arms)) or known


def due_runs(project: Project) -> list[Run]:
    """Return the runs of a scheduled re-evaluation: the schedule's arms on each channel's newest gold.

    A channel without gold has none.
    """
    settings = project.settings
    runs: list[Run] = []
    for channel in sorted(settings.channels):
        gold = load_gold(project.database, channel)
        if gold is not None:
            runs += declare_runs(project, channel, gold, settings.schedule.arms, settings.repetitions)
    return runs
