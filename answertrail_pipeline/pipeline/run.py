"""Everything that is missing or changed, in order, for one channel: `answertrail run`."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from answertrail_pipeline.agents.runs import list_runs
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.adjudication import adjudicate_auto, waiting
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.gold.versions import freeze, load_gold
from answertrail_pipeline.pipeline.evaluation import declare_runs
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.stages import (
    RUN_STAGES,
    SCORE_STAGES,
    channel_stage,
    list_and_retire,
    stage_of_run,
    video_stage,
)
from answertrail_pipeline.pipeline.watch import Watcher
from answertrail_pipeline.scoring.factnet.stage import declare_set
from answertrail_pipeline.store.stage_run import Stage, StageReport, run_stage

Policy = Literal["people", "auto"]


@dataclass
class ChannelReport:
    """What one pass over a channel did.

    Attributes:
        waiting: how many proposals wait for a person, by kind.
    """

    channel: str
    stages: list[StageReport] = field(default_factory=list)
    waiting: dict[str, int] = field(default_factory=dict)
    gold_version: str | None = None
    runs: list[str] = field(default_factory=list)

    @property
    def errors(self) -> dict[str, str]:
        """Every failed unit with its reason."""
        return {f"{each.stage} {key}": reason for each in self.stages for key, reason in each.errors.items()}

    @property
    def computed(self) -> int:
        """How many units were computed."""
        return sum(report.computed for report in self.stages)


class Pass:
    """One pass over one channel, stage after stage."""

    def __init__(self, project: Project, channel: str, watcher: Watcher) -> None:
        self.project = project
        self.channel = channel
        self.watcher = watcher
        self.report = ChannelReport(channel)

    async def stage(self, stage: Stage) -> None:
        """Bring one stage up to date."""
        started = time.monotonic()
        listeners = self.watcher.starts(self.channel, stage.name)
        report = await run_stage(self.project.database, stage, on_due=listeners.on_due, on_unit=listeners.on_unit)
        self.report.stages.append(report)
        self.watcher.ends(self.channel, report, time.monotonic() - started)

    async def ingest(self) -> None:
        """Bring the channel's chunks up to date with its source."""
        listing, retirement = await list_and_retire(self.project, self.channel)
        if retirement.warning:
            self.watcher.says(self.channel, retirement.warning)
        await self.stage(video_stage(self.project, "chunks", self.channel, listing))

    async def propose(self) -> None:
        """Bring the index, claims, threads and proposed questions up to date."""
        await self.index()
        await self.stage(video_stage(self.project, "claims", self.channel))
        await self.stage(channel_stage(self.project, "threads", self.channel))
        await self.stage(channel_stage(self.project, "questions", self.channel))

    async def decide(self, policy: Policy) -> GoldVersion | None:
        """Return the gold to score on: frozen by policy `auto`, or the newest that people froze, or None."""
        database = self.project.database
        if policy == "auto":
            adjudicate_auto(database, self.channel, "question")
        await self.stage(channel_stage(self.project, "nuggets", self.channel))
        if policy == "auto":
            adjudicate_auto(database, self.channel, "nugget")
            return freeze(database, self.channel, policy="auto")
        self.report.waiting = waiting(database, self.channel)
        return load_gold(database, self.channel)

    async def evaluate(
        self,
        gold: GoldVersion,
        arms: Sequence[str],
        repetitions: int,
        *,
        fresh: bool = False,
        add_to_pool: bool = True,
    ) -> None:
        """Run arms on the gold over the corpus of today, and score them.

        Args:
            add_to_pool: runs of careers join those that are declared for the channel's pool, or replace them.
        """
        epoch = _epoch(self.project, self.channel) + fresh
        runs = declare_runs(self.project, self.channel, gold, arms, repetitions, epoch)
        careers = [run.run_key for run in runs if run.is_biography]
        if careers:
            declare_set(self.project.database, gold, careers, add=add_to_pool)
        for run in runs:
            for name in RUN_STAGES:
                await self.stage(stage_of_run(self.project, name, run))
        self.report.gold_version = gold.gold_version
        self.report.runs = [run.run_key for run in runs]

    async def index(self) -> None:
        """Bring the search index up to date."""
        await self.stage(video_stage(self.project, "embeddings", self.channel))
        await self.stage(channel_stage(self.project, "term_stats", self.channel))

    async def score(self, stages: Sequence[str] = SCORE_STAGES) -> None:
        """Bring calibration, pools, scoreboard and report up to date."""
        for name in stages:
            await self.stage(channel_stage(self.project, name, self.channel))


async def run_channels(
    project: Project, channels: Sequence[str], policy: Policy, watcher: Watcher
) -> list[ChannelReport]:
    """Do everything that is missing or changed, from captions to the report.

    A channel without gold that people froze stops after its proposals.
    """
    reports = []
    for channel in channels:
        work = Pass(project, channel, watcher)
        await work.ingest()
        await work.propose()
        gold = await work.decide(policy)
        if gold is not None:
            await work.evaluate(gold, (), project.settings.repetitions)
            await work.score()
        reports.append(work.report)
    return reports


def chosen_channels(project: Project, channel: str) -> list[str]:
    """Return the named channel, or all that are configured where the name is empty.

    Raises:
        UserError: it is not configured, or there is none.
    """
    if channel:
        project.channel(channel)
        return [channel]
    if not project.settings.channels:
        raise UserError(f"No channel in {project.settings.config}.", "Make one with `answertrail init FOLDER`.")
    return sorted(project.settings.channels)


async def evaluate_channels(
    project: Project,
    channels: Sequence[str],
    watcher: Watcher,
    arms: Sequence[str],
    repetitions: int,
    gold_version: str | None = None,
    *,
    fresh: bool = False,
) -> list[ChannelReport]:
    """Run arms on a frozen gold version over the corpus of today, judge and score them.

    Args:
        gold_version: the newest where None.
        fresh: open a new epoch, so that agents are asked again though nothing changed.

    Raises:
        UserError: a channel has no such gold version, or an arm is not configured.
    """
    reports = []
    for channel in channels:
        work = Pass(project, channel, watcher)
        gold = load_gold(project.database, channel, gold_version)
        if gold is None:
            raise UserError(
                f"No gold of {channel} is frozen.", "Freeze one with `answertrail gold freeze`, or import one."
            )
        await work.evaluate(gold, arms, repetitions, fresh=fresh)
        await work.score()
        reports.append(work.report)
    return reports


async def score_channels(project: Project, channels: Sequence[str], watcher: Watcher) -> list[ChannelReport]:
    """Bring calibration, scoreboard and report up to date from stored verdicts; a pool is not made: it may ask."""
    reports = []
    for channel in channels:
        work = Pass(project, channel, watcher)
        await work.score([name for name in SCORE_STAGES if name != "pools"])
        reports.append(work.report)
    return reports


async def ingest_channels(project: Project, channels: Sequence[str], watcher: Watcher) -> list[ChannelReport]:
    """Bring the chunks of some channels up to date with their sources, and nothing more."""
    reports = []
    for channel in channels:
        work = Pass(project, channel, watcher)
        await work.ingest()
        reports.append(work.report)
    return reports


def one_channel(project: Project, channel: str) -> str:
    """Return the named channel, or the only one that is configured.

    Raises:
        UserError: it is not configured, or there are several and none is named.
    """
    found = chosen_channels(project, channel)
    if len(found) > 1:
        raise UserError(f"There are several channels: {', '.join(found)}.", "Name one with --channel.")
    return found[0]


def check_policy(policy: str) -> Policy:
    """Return a policy by its name.

    Raises:
        UserError: there is none of that name.
    """
    if policy not in ("people", "auto"):
        raise UserError(f"No policy `{policy}`.", "Policies: people, auto.")
    return policy  # type: ignore[return-value]


def _epoch(project: Project, channel: str) -> int:
    """Return the channel's epoch: the newest that was opened."""
    return max((run.epoch for run in list_runs(project.database, channel)), default=1)
