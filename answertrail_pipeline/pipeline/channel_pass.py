"""One pass over one channel: its stages in order, and what they did."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from answertrail_pipeline.agents.runs import Run
from answertrail_pipeline.gold.adjudication import waiting
from answertrail_pipeline.gold.policy_auto import adjudicate_auto
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.gold.versions import freeze, load_gold
from answertrail_pipeline.pipeline.checks import GateFailedError
from answertrail_pipeline.pipeline.evaluation import declare_runs, newest_epoch
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.stages import (
    RUN_STAGES,
    SCORE_STAGES,
    bring_up,
    channel_stage,
    index_claims,
    list_and_retire,
    stage_of_run,
    video_stage,
)
from answertrail_pipeline.pipeline.watch import Watcher
from answertrail_pipeline.scoring.factnet.stage import declare_set
from answertrail_pipeline.store.stage_run import Stage, StageReport

Policy = Literal["people", "auto"]


@dataclass
class ChannelReport:
    """What one pass over a channel did.

    Attributes:
        waiting: how many proposals wait for a person, by kind.
        stopped: what was not computed because a blocking check failed, and which.
        reevaluation: number of the re-evaluation that the runs belong to, if any.
    """

    channel: str
    stages: list[StageReport] = field(default_factory=list)
    waiting: dict[str, int] = field(default_factory=dict)
    gold_version: str | None = None
    runs: list[str] = field(default_factory=list)
    reevaluation: int | None = None
    stopped: list[str] = field(default_factory=list)

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

    async def stage(self, stage: Stage, run_key: str = "") -> None:
        """Bring one stage up to date and check it.

        Raises:
            GateFailedError: a blocking check of what it is made from fails.
        """
        started = time.monotonic()
        where = run_key or self.channel
        listeners = self.watcher.starts(where, stage.name)
        report = await bring_up(self.project, stage, None, run_key, listeners)
        self.report.stages.append(report)
        self.watcher.ends(where, report, time.monotonic() - started)

    async def ingest(self) -> None:
        """Bring the channel's chunks up to date with its source."""
        listing, retirement = await list_and_retire(self.project, self.channel)
        if retirement.warning:
            self.watcher.says(self.channel, retirement.warning)
        await self.stage(video_stage(self.project, "chunks", self.channel, listing))

    async def index(self) -> None:
        """Bring the search index up to date."""
        await self.stage(video_stage(self.project, "embeddings", self.channel))
        await self.stage(channel_stage(self.project, "term_stats", self.channel))

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
        epoch = newest_epoch(self.project.database, self.channel) + fresh
        runs = declare_runs(self.project, self.channel, gold, arms, repetitions, epoch)
        careers = [run.run_key for run in runs if run.is_biography]
        if careers:
            declare_set(self.project.database, gold, careers, add=add_to_pool)
        await self.bring_up(gold, runs)

    async def bring_up(self, gold: GoldVersion, runs: Sequence[Run]) -> None:
        """Bring declared runs up to date, stage after stage."""
        self.report.stages += await index_claims(self.project, runs)
        for run in runs:
            try:
                for name in RUN_STAGES:
                    await self.stage(stage_of_run(self.project, name, run), run.run_key)
            except GateFailedError as error:  # the other runs may be well
                self.report.stopped.append(str(error))
        self.report.gold_version = gold.gold_version
        self.report.runs = [run.run_key for run in runs]

    async def score(self, stages: Sequence[str] = SCORE_STAGES) -> None:
        """Bring calibration, pools, scoreboard, series and report up to date."""
        for name in stages:
            await self.stage(channel_stage(self.project, name, self.channel))
