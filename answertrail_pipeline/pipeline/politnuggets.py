"""PolitNuggets from people and documents to a scoreboard: the stages in order."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from answertrail_pipeline.agents.runs import Run
from answertrail_pipeline.corpus.snapshot import snapshot
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.biographies.base import freeze_base
from answertrail_pipeline.gold.biographies.people import Person, read_people, store_people
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.judging.events import base_coverage_stage, fact_verdicts_stage
from answertrail_pipeline.pipeline.evaluation import chosen_arms, declare_runs
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.stages import channel_stage, list_and_retire, stage_of_run, video_stage
from answertrail_pipeline.pipeline.watch import Silent, Watcher
from answertrail_pipeline.reporting.biographies import write_report
from answertrail_pipeline.scoring.factnet.board import Board, load_board
from answertrail_pipeline.scoring.factnet.stage import declare_pool, pools_stage
from answertrail_pipeline.scoring.metrics import resampling
from answertrail_pipeline.store.shipped import shipped
from answertrail_pipeline.store.stage_run import Stage, StageReport, run_stage

DEMO_CHANNEL = "sanrei"
_DEMO_FILES = ("answertrail.toml", "people.jsonl", "documents.csv", "documents")


@dataclass
class PolitNuggetsReport:
    """What one pass did and what came out."""

    stages: list[StageReport] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    pool_id: str = ""
    board: Board | None = None
    files: list[Path] = field(default_factory=list)

    @property
    def errors(self) -> dict[str, str]:
        """Every failed unit with its reason."""
        return {key: reason for report in self.stages for key, reason in report.errors.items()}


async def run_politnuggets(
    project: Project,
    channel: str,
    people_file: Path,
    arms: Sequence[str] = (),
    repetitions: int = 1,
    watcher: Watcher | None = None,
    out: Path | None = None,
) -> PolitNuggetsReport:
    """Import people, bring the corpus up to date, run the arms, judge, pool, score and report.

    Args:
        people_file: CSV or JSONL; the base is made of the JSONL's `events`.
        arms: those of agent `biography`; all such arms of the configuration where empty.
        out: folder of the report; none is written where None.

    Raises:
        UserError: nobody has a base, no arm is a biography arm, or the corpus is empty.
    """
    passing = _Pass(project, channel, watcher or Silent())
    people = read_people(people_file)
    await passing.corpus()
    gold = passing.freeze(people)
    runs = declare_runs(project, channel, gold, _in_order(project, arms), repetitions)
    for run in sorted(runs, key=lambda run: (_donor(run) is not None, run.arm, run.repetition)):
        await passing.stage(stage_of_run(project, "agent_runs", run))
        await passing.stage(fact_verdicts_stage(project.database, project.door, project.settings, run, gold))
    await passing.stage(base_coverage_stage(project.database, project.door, project.settings, gold))
    await passing.pool(gold, runs)
    report = passing.report
    if out is not None and report.board is not None:
        report.files = write_report(report.board, out)
    return report


async def run_politnuggets_demo(project: Project, watcher: Watcher | None = None) -> PolitNuggetsReport:
    """Run the demonstration that `copy_demo` put into the project's folder."""
    root = project.settings.root
    return await run_politnuggets(
        project, DEMO_CHANNEL, root / "people.jsonl", watcher=watcher, out=root / "report"
    )


def copy_demo(folder: Path) -> Path:
    """Copy the demonstration into a folder, leaving what is there as it is; return the configuration."""
    source = shipped("examples/politnuggets")
    folder.mkdir(parents=True, exist_ok=True)
    for name in _DEMO_FILES:
        if (folder / name).exists():
            continue
        if (source / name).is_dir():
            shutil.copytree(source / name, folder / name)
        else:
            shutil.copy(source / name, folder / name)
    return folder / "answertrail.toml"


class _Pass:
    """One pass: stages run in order, each told to the watcher."""

    def __init__(self, project: Project, channel: str, watcher: Watcher) -> None:
        self.project = project
        self.channel = channel
        self.watcher = watcher
        self.report = PolitNuggetsReport()

    async def stage(self, stage: Stage) -> None:
        listeners = self.watcher.starts(self.channel, stage.name)
        done = await run_stage(self.project.database, stage, on_due=listeners.on_due, on_unit=listeners.on_unit)
        self.report.stages.append(done)

    async def corpus(self) -> None:
        listing, _retired = await list_and_retire(self.project, self.channel)
        await self.stage(video_stage(self.project, "chunks", self.channel, listing))
        await self.stage(video_stage(self.project, "embeddings", self.channel))
        await self.stage(channel_stage(self.project, "term_stats", self.channel))

    def freeze(self, people: Sequence[Person]) -> GoldVersion:
        corpus = snapshot(self.project.database, self.channel)
        with self.project.database.begin() as connection:
            store_people(connection, self.channel, people)
            return freeze_base(connection, self.channel, people, corpus.last_date, corpus.corpus_id)

    async def pool(self, gold: GoldVersion, runs: Sequence[Run]) -> None:
        project, keys = self.project, [run.run_key for run in runs]
        await self.stage(pools_stage(project.database, project.door, project.settings, gold, keys))
        self.report.runs = sorted(keys)
        self.report.pool_id = declare_pool(project.database, project.settings, gold, keys).pool_id
        self.report.board = load_board(
            project.database, self.channel, self.report.pool_id, resampling(project.settings.scoring)
        )


def _in_order(project: Project, arms: Sequence[str]) -> list[str]:
    known = project.settings.arms
    wanted = [name for name in chosen_arms(project, arms) if known[name].agent == "biography"]
    if not wanted:
        raise UserError("No arm of agent `biography` is configured.", 'Add one: agent = "biography".')
    donors = {name: known[name].biography.donor for name in wanted}
    missing = sorted({donor for donor in donors.values() if donor and donor not in wanted})
    if missing:
        raise UserError(f"The donor arm `{missing[0]}` is not among the arms.", "Run the donor with its takers.")
    return wanted


def _donor(run: Run) -> str | None:
    return run.whole_arm.settings.biography.donor
