"""Which runs an evaluation is made of: arms x repetitions over one gold version and the corpus of today."""

from collections.abc import Sequence

from answertrail_pipeline.agents.runs import Run, declare_run, questions_of
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

    Without names, all arms that the gold has questions for. An arm that is given another's archive comes last.

    Raises:
        UserError: an arm is not configured, has no questions in the gold, or its donor is not among them; or the
            channel has no chunks.
    """
    corpus = snapshot(project.database, channel)
    return [
        declare_run(project.database, channel, arm, project.settings, gold, corpus, repetition, epoch)
        for arm in arms_for(project, gold, arms)
        for repetition in range(1, repetitions + 1)
    ]


def arms_for(project: Project, gold: GoldVersion, arms: Sequence[str] = ()) -> list[str]:
    """Return the named arms, or all that a gold version has questions for, donors before those who take.

    Raises:
        UserError: an arm is not configured, a named one has no questions in the gold, or a donor is missing.
    """
    known = project.settings.arms
    chosen = chosen_arms(project, arms)
    asked = [name for name in chosen if questions_of(known[name], gold)]
    for name in chosen:
        if name in arms and name not in asked:
            wanted = "careers" if known[name].agent == "biography" else "questions to answer in prose"
            raise UserError(
                f"Gold {gold.gold_version} of {gold.channel} has no {wanted} for the arm `{name}`.",
                "Name another arm or gold version.",
            )
    donors = {name: known[name].biography.donor for name in asked if known[name].agent == "biography"}
    missing = sorted({donor for donor in donors.values() if donor and donor not in asked})
    if missing:
        raise UserError(f"The donor arm `{missing[0]}` is not among the arms.", "Run the donor with its takers.")
    return sorted(asked, key=lambda name: (donors.get(name) is not None, name))


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
