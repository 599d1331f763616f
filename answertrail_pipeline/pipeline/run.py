"""What the commands do with channels, one after the other: `answertrail run`, `evaluate`, `score` and the like."""

from collections.abc import Awaitable, Callable, Sequence

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.pipeline.channel_pass import ChannelReport, Pass, Policy
from answertrail_pipeline.pipeline.checks import GateFailedError
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.reevaluation import due_reevaluation
from answertrail_pipeline.pipeline.stages import SCORE_STAGES
from answertrail_pipeline.pipeline.watch import Watcher

Work = Callable[[Pass], Awaitable[None]]


async def each_channel(
    project: Project, channels: Sequence[str], watcher: Watcher, work: Work
) -> list[ChannelReport]:
    """Do some work on one channel after the other, and report each."""
    reports = []
    for channel in channels:
        one = Pass(project, channel, watcher)
        try:
            await work(one)
        except GateFailedError as error:  # the other channels may be well
            one.report.stopped.append(str(error))
        reports.append(one.report)
    return reports


async def run_channels(
    project: Project, channels: Sequence[str], policy: Policy, watcher: Watcher
) -> list[ChannelReport]:
    """Do everything that is missing or changed, from captions to the report.

    A channel without gold that people froze stops after its proposals.
    """

    async def work(one: Pass) -> None:
        await one.ingest()
        await one.propose()
        gold = await one.decide(policy)
        if gold is not None:
            await one.evaluate(gold, (), project.settings.repetitions)
            await one.score()

    return await each_channel(project, channels, watcher, work)


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

    The corpus and its index are brought up to date first, so that imported gold needs nothing else.

    Args:
        gold_version: the newest where None.
        fresh: open a new epoch, so that agents are asked again though nothing changed.

    Raises:
        UserError: a channel has no such gold version, or an arm is not configured.
    """

    async def work(one: Pass) -> None:
        gold = frozen_gold(project, one.channel, gold_version)
        await one.ingest()
        await one.index()
        await one.evaluate(gold, arms, repetitions, fresh=fresh)
        await one.score()

    return await each_channel(project, channels, watcher, work)


async def reevaluate_channels(project: Project, channels: Sequence[str], watcher: Watcher) -> list[ChannelReport]:
    """Take in what was uploaded, ask the schedule's arms again on the newest gold, and add to the series.

    Two corpora, two numbers by name: the one cut at the gold's date, which tells of the agent, and the whole one,
    in which a creator may have changed his mind after the gold was made.

    Raises:
        UserError: a channel has no gold, or an arm is not configured.
    """

    async def work(one: Pass) -> None:
        gold = frozen_gold(project, one.channel)
        await one.ingest()
        await one.index()
        due = await due_reevaluation(project, one.channel)
        await one.bring_up(gold, due.runs)
        await one.score()
        one.report.reevaluation = due.reevaluation.number

    return await each_channel(project, channels, watcher, work)


async def score_channels(project: Project, channels: Sequence[str], watcher: Watcher) -> list[ChannelReport]:
    """Bring calibration, scoreboard and report up to date from stored verdicts; a pool is not made: it may ask."""
    stages = [name for name in SCORE_STAGES if name != "pools"]
    return await each_channel(project, channels, watcher, lambda one: one.score(stages))


async def ingest_channels(project: Project, channels: Sequence[str], watcher: Watcher) -> list[ChannelReport]:
    """Bring the chunks of some channels up to date with their sources, and nothing more."""
    return await each_channel(project, channels, watcher, lambda one: one.ingest())


def frozen_gold(project: Project, channel: str, gold_version: str | None = None) -> GoldVersion:
    """Return a frozen gold version of a channel, the newest where none is named.

    Raises:
        UserError: there is none.
    """
    gold = load_gold(project.database, channel, gold_version)
    if gold is None:
        raise UserError(
            f"No gold of {channel} is frozen.", "Freeze one with `answertrail gold freeze`, or import one."
        )
    return gold


def check_policy(policy: str) -> Policy:
    """Return a policy by its name.

    Raises:
        UserError: there is none of that name.
    """
    if policy not in ("people", "auto"):
        raise UserError(f"No policy `{policy}`.", "Policies: people, auto.")
    return policy  # type: ignore[return-value]
