"""Every stage by name, for a channel or a run: the one list that the command line and Dagster share."""

from collections import defaultdict
from collections.abc import Callable, Iterable

from sqlalchemy import Connection

from answertrail_pipeline.agents import runs
from answertrail_pipeline.agents.runs import Run, agent_runs_stage, load_run
from answertrail_pipeline.corpus import ingest
from answertrail_pipeline.corpus.ingest import chunks_stage
from answertrail_pipeline.corpus.listing import Listing
from answertrail_pipeline.corpus.retire import Retirement, retire_missing
from answertrail_pipeline.corpus.sources import list_videos
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold import claims, nuggets, questions, threads
from answertrail_pipeline.gold.claims import claims_stage
from answertrail_pipeline.gold.nuggets import nuggets_stage
from answertrail_pipeline.gold.questions import questions_stage
from answertrail_pipeline.gold.threads import threads_stage
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.judging import calibration, verdicts
from answertrail_pipeline.judging.calibration import calibration_stage
from answertrail_pipeline.judging.event_assertions import event_assertions_stage
from answertrail_pipeline.judging.event_verdicts import event_verdicts_stage
from answertrail_pipeline.judging.verdicts import assertions_stage, verdicts_stage
from answertrail_pipeline.pipeline.checks import GateFailedError, check_stage, refuse_behind_failed_gates
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.watch import NOBODY, Listeners
from answertrail_pipeline.reporting import stage as reporting
from answertrail_pipeline.reporting.stage import report_stage
from answertrail_pipeline.retrieval import index
from answertrail_pipeline.retrieval.index import claim_index_stage, embeddings_stage, term_stats_stage
from answertrail_pipeline.scoring import load, scoreboard, series
from answertrail_pipeline.scoring.factnet import stage as pools
from answertrail_pipeline.scoring.factnet.frozen import frozen_metrics_stage
from answertrail_pipeline.scoring.factnet.stage import pools_stage
from answertrail_pipeline.scoring.load import metrics_stage
from answertrail_pipeline.scoring.scoreboard import scoreboard_stage
from answertrail_pipeline.scoring.series import series_stage
from answertrail_pipeline.store.keys import split_key, video_key
from answertrail_pipeline.store.stage_run import Computed, Stage, StageReport, Unit, run_stage

VIDEO_STAGES = ("chunks", "embeddings", "claims")
CHANNEL_STAGES = ("term_stats", "threads", "questions", "nuggets")
CLAIM_INDEX = "claim_index"
"""Brought up before the agents of an arm that searches claims; no asset of its own, since hardly any arm does."""
RUN_STAGES = ("agent_runs", "assertions", "verdicts", "metrics")
SCORE_STAGES = ("calibration", "pools", "scoreboard", "series", "report")

VIDEOS_VERSION = "1"
CODE_VERSIONS = {
    "videos": VIDEOS_VERSION,
    "chunks": ingest.CODE_VERSION,
    "embeddings": index.EMBEDDINGS_VERSION,
    "claims": claims.CODE_VERSION,
    "term_stats": index.TERM_STATS_VERSION,
    "threads": threads.CODE_VERSION,
    "questions": questions.CODE_VERSION,
    "nuggets": nuggets.CODE_VERSION,
    "agent_runs": runs.AGENT_RUNS_VERSION,
    "assertions": verdicts.ASSERTIONS_VERSION,
    "verdicts": verdicts.VERDICTS_VERSION,
    "metrics": load.CODE_VERSION,
    "calibration": calibration.CODE_VERSION,
    "pools": pools.POOLS_VERSION,
    "scoreboard": scoreboard.CODE_VERSION,
    "series": series.CODE_VERSION,
    "report": reporting.CODE_VERSION,
}
"""The code version of each stage, as `stage_run` and Dagster have it."""


def videos_stage(channel: str, listing: Listing) -> Stage:
    """Return the stage that only notes what a source offers: its output is the listed content hash."""
    units = [Unit(video_key(channel, video.video_id), video.source_hash) for video in listing.videos]

    async def compute(unit: Unit) -> Computed:
        return Computed(unit.input_hash, _nothing)

    return Stage("videos", channel, VIDEOS_VERSION, lambda: units, compute)


def video_stage(project: Project, name: str, channel: str, listing: Listing | None = None) -> Stage:
    """Return a stage by video.

    Args:
        listing: what the source offers, where the caller has it already.
    """
    database, settings = project.database, project.channel(channel)
    if name == "videos":
        return videos_stage(channel, listing or list_videos(settings))
    if name == "chunks":
        return chunks_stage(database, channel, settings, listing or list_videos(settings))
    if name == "embeddings":
        return embeddings_stage(database, channel, project.embedder(channel), settings.language)
    if name == "claims":
        return claims_stage(database, project.door, channel, project.settings)
    raise KeyError(name)


def channel_stage(project: Project, name: str, channel: str) -> Stage:
    """Return a stage whose units belong to a whole channel."""
    database, door, settings = project.database, project.door, project.settings
    makers = {
        "term_stats": lambda: term_stats_stage(database, channel),
        CLAIM_INDEX: lambda: claim_index_stage(
            database, channel, project.embedder(channel), project.channel(channel).language
        ),
        "threads": lambda: threads_stage(database, channel, settings),
        "questions": lambda: questions_stage(database, door, channel, settings),
        "nuggets": lambda: nuggets_stage(database, door, channel, settings),
        "calibration": lambda: calibration_stage(database, channel, settings),
        "pools": lambda: pools_stage(database, door, settings, channel),
        "scoreboard": lambda: scoreboard_stage(database, channel, settings),
        "series": lambda: series_stage(database, channel, settings),
        "report": lambda: report_stage(database, channel, settings),
    }
    return makers[name]()


def stage_of_run(project: Project, name: str, run: Run) -> Stage:
    """Return a stage of one run; careers have stages of their own under the same names."""
    database, door, settings = project.database, project.door, project.settings
    gold = load_gold(database, run.channel, run.gold_version)
    if gold is None:
        raise UserError(f"No gold of {run.channel} is frozen.", "Freeze or import one: `answertrail gold --help`.")
    makers: dict[str, Callable[[], Stage]] = {
        "agent_runs": lambda: agent_runs_stage(database, door, settings, project.embedder(run.channel), run, gold),
        "assertions": lambda: assertions_stage(database, door, settings, run),
        "verdicts": lambda: verdicts_stage(database, door, settings, run, gold),
        "metrics": lambda: metrics_stage(database, settings, [run.run_key]),
    }
    of_careers: dict[str, Callable[[], Stage]] = {
        "assertions": lambda: event_assertions_stage(database, run),
        "verdicts": lambda: event_verdicts_stage(database, door, settings, run, gold),
        "metrics": lambda: frozen_metrics_stage(database, door, settings, run, gold),
    }
    return ({**makers, **of_careers} if run.is_biography else makers)[name]()


async def index_claims(project: Project, runs: Iterable[Run]) -> list[StageReport]:
    """Bring the index of claims up to date where some run's arm searches claims; nothing else needs it."""
    channels = sorted({run.channel for run in runs if run.whole_arm.settings.retriever.claims != "none"})
    return [await run_stage(project.database, channel_stage(project, CLAIM_INDEX, each)) for each in channels]


async def list_and_retire(project: Project, channel: str) -> tuple[Listing, Retirement]:
    """List a channel's source, note new and changed videos, and retire those that are gone."""
    settings = project.channel(channel)
    listing = list_videos(settings)
    retired = retire_missing(project.database, channel, listing, settings)
    await run_stage(project.database, videos_stage(channel, listing))
    return listing, retired


async def bring_up(
    project: Project,
    stage: Stage,
    keys: Iterable[str] | None = None,
    run_key: str = "",
    listeners: Listeners = NOBODY,
) -> StageReport:
    """Bring a stage up to date and run its checks; the one way in for the command line, Dagster and backfills.

    Args:
        keys: only these units; all where None.
        run_key: of the run, for a stage of runs.

    Raises:
        GateFailedError: a blocking check of what the stage is made from fails; nothing is computed.
    """
    refuse_behind_failed_gates(project, stage.channel, stage.name, run_key)
    report = await run_stage(project.database, stage, keys, listeners.on_due, listeners.on_unit)
    check_stage(project, stage.channel, stage.name, run_key)
    return report


async def bring_up_videos(
    project: Project, name: str, keys: Iterable[str], listeners: Listeners = NOBODY
) -> dict[str, str]:
    """Bring one stage of some videos up to date; return the failed units with their reasons."""
    by_channel: dict[str, list[str]] = defaultdict(list)
    for key in keys:
        by_channel[split_key(key)[0]].append(key)
    failures: dict[str, str] = {}
    for channel, wanted in sorted(by_channel.items()):
        failures |= await _failures(project, video_stage(project, name, channel), wanted, listeners=listeners)
    return failures


async def bring_up_channels(project: Project, name: str, listeners: Listeners = NOBODY) -> dict[str, str]:
    """Bring one stage of every channel up to date; return the failed units with their reasons."""
    failures: dict[str, str] = {}
    for channel in sorted(project.settings.channels):
        failures |= await _failures(project, channel_stage(project, name, channel), listeners=listeners)
    return failures


async def bring_up_run(project: Project, name: str, run_key: str, listeners: Listeners = NOBODY) -> dict[str, str]:
    """Bring one stage of a run up to date; return the failed units with their reasons."""
    run = load_run(project.database, run_key)
    if name == "agent_runs":
        await index_claims(project, [run])
    return await _failures(project, stage_of_run(project, name, run), run_key=run_key, listeners=listeners)


async def _failures(
    project: Project,
    stage: Stage,
    keys: Iterable[str] | None = None,
    run_key: str = "",
    listeners: Listeners = NOBODY,
) -> dict[str, str]:
    try:
        return dict((await bring_up(project, stage, keys, run_key, listeners)).errors)
    except GateFailedError as error:  # another channel may be well
        return {f"{stage.channel} {stage.name}": str(error)}


def _nothing(_connection: Connection) -> None:
    """A note of what a source offers has no rows of its own."""
