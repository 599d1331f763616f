"""Which runs an evaluation is made of: arms x repetitions over one gold version and a corpus."""

from collections.abc import Sequence

from answertrail_pipeline.agents.runs import Run, declare_run, list_runs, questions_of
from answertrail_pipeline.corpus.snapshot import Corpus, snapshot
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.scoring import reevaluations
from answertrail_pipeline.scoring.reevaluations import Reevaluation
from answertrail_pipeline.settings import CONFIG_NAME
from answertrail_pipeline.store.database import Database


def declare_runs(
    project: Project, channel: str, gold: GoldVersion, arms: Sequence[str], repetitions: int, epoch: int = 1
) -> list[Run]:
    """Declare the runs of some arms on a gold version over the corpus of today; declared ones stay as they are.

    Without names, all arms that the gold has questions for. An arm that is given another's archive comes last.

    Raises:
        UserError: an arm is not configured, has no questions in the gold, or its donor is not among them; or the
            channel has no chunks.
    """
    return _declare(project, channel, gold, arms, repetitions, epoch, snapshot(project.database, channel))


def _declare(
    project: Project,
    channel: str,
    gold: GoldVersion,
    arms: Sequence[str],
    repetitions: int,
    epoch: int,
    corpus: Corpus,
) -> list[Run]:
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


def declare_reevaluation(project: Project, channel: str, gold: GoldVersion) -> tuple[Reevaluation, list[Run]]:
    """Declare a re-evaluation: the schedule's arms over the corpus cut at the gold's date, and over all of it.

    Where nothing came after that date the two are one corpus and the runs are the same. The cut has the content,
    so the name, that the corpus had when the gold was made: its finished trails are there already.

    Raises:
        UserError: an arm is not configured, or the channel has no chunks up to the gold's date.
    """
    database, settings = project.database, project.settings
    epoch = newest_epoch(database, channel)
    corpora = {"as_of": snapshot(database, channel, gold.as_of), "full": snapshot(database, channel)}
    arms, runs = _prose_arms(project, gold), {}
    for corpus in corpora.values():
        for run in _declare(project, channel, gold, arms, settings.repetitions, epoch, corpus):
            runs[run.run_key] = run
    with database.begin() as connection:
        made = reevaluations.declare_reevaluation(
            connection,
            channel,
            gold.gold_version,
            {"as_of": corpora["as_of"].corpus_id, "full": corpora["full"].corpus_id},
            {run.arm: run.arm_hash for run in runs.values()},
            settings.repetitions,
            epoch,
        )
    return made, list(runs.values())


def begin_series(project: Project, channel: str, gold: GoldVersion) -> None:
    """Let a new series begin with what is scored now; to be called before the first re-evaluation is declared."""
    cut = snapshot(project.database, channel, gold.as_of)
    arms = _prose_arms(project, gold)
    epoch = newest_epoch(project.database, channel)
    with project.database.begin() as connection:
        reevaluations.begin_series(connection, channel, gold.gold_version, cut.corpus_id, arms, epoch)


def _prose_arms(project: Project, gold: GoldVersion) -> list[str]:
    """Return the schedule's arms that answer in prose; careers are scored in pools, not in a series."""
    known = project.settings.arms
    arms = [
        name
        for name in arms_for(project, gold, project.settings.schedule.arms)
        if known[name].agent != "biography"
    ]
    if not arms:
        raise UserError(
            f"No arm answers the questions of gold {gold.gold_version} of {gold.channel} in prose.",
            f"Add one to {CONFIG_NAME}, or to `arms` in [schedule].",
        )
    return arms


def newest_epoch(database: Database, channel: str) -> int:
    """Return the channel's epoch: the newest that was opened."""
    return max((run.epoch for run in list_runs(database, channel)), default=1)
