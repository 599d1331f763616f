"""The demonstration: the whole pipeline on the fictional library, by rules only, held against what is planted."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, text

from answertrail_pipeline.corpus.snapshot import snapshot
from answertrail_pipeline.demo.findings import Findings, find
from answertrail_pipeline.demo.labels import label_from_truth
from answertrail_pipeline.demo.truth import GOLD_NAME, Places, Truth, load_truth, truth_gold
from answertrail_pipeline.gold.versions import store_version
from answertrail_pipeline.judging.judge_pairs import judge_pairs
from answertrail_pipeline.judging.judges import configured_judge
from answertrail_pipeline.judging.pairs import draw_pairs
from answertrail_pipeline.pipeline.channel_pass import ChannelReport, Pass
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.watch import Watcher
from answertrail_pipeline.scoring.board import Scoreboard
from answertrail_pipeline.scoring.scoreboard import scoreboard
from answertrail_pipeline.store.shipped import shipped

CHANNEL = "demo"


@dataclass(frozen=True)
class Shown:
    """What the demonstration shows.

    Attributes:
        own: scores on the gold that the pipeline proposed and policy `auto` kept.
        written: scores on the questions of the truth file.
    """

    report: ChannelReport
    findings: Findings
    own: Scoreboard
    written: Scoreboard


def copy_demo(folder: Path) -> Path:
    """Copy captions and configuration into a folder, leaving what is there as it is; return the configuration."""
    source = shipped("examples/demo")
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("captions", "truth.json", "answertrail.toml"):
        if not (folder / name).exists():
            if (source / name).is_dir():
                shutil.copytree(source / name, folder / name)
            else:
                shutil.copy(source / name, folder / name)
    return folder / "answertrail.toml"


async def run_demo(project: Project, watcher: Watcher) -> Shown:
    """Run everything that is missing or changed, twice: on the pipeline's own gold and on the truth file's."""
    truth = load_truth(project.settings.root / "truth.json")
    work = Pass(project, CHANNEL, watcher)
    await work.ingest()
    await work.propose()
    own = await work.decide("auto")
    repetitions = project.settings.repetitions
    if own is not None:
        await work.evaluate(own, (), repetitions)
    with project.database.begin() as connection:
        places = _places(connection)
    corpus = snapshot(project.database, CHANNEL)
    written = truth_gold(truth, CHANNEL, corpus.last_date, corpus.corpus_id, places)
    with project.database.begin() as connection:
        store_version(connection, written, GOLD_NAME)
    await work.evaluate(written, (), repetitions)
    await _calibrate(project, truth)
    await work.score()
    with project.database.begin() as connection:
        findings = find(connection, CHANNEL, truth, places)
    boards = [
        scoreboard(project.database, CHANNEL, project.settings, gold.gold_version if gold else None)
        for gold in (own, written)
    ]
    return Shown(work.report, findings, *boards)


def _places(connection: Connection) -> Places:
    rows = connection.execute(
        text("select video_id, chunk_id, start_seconds from chunks where channel = :channel"), {"channel": CHANNEL}
    )
    return Places([(row.video_id, row.chunk_id, row.start_seconds) for row in rows])


async def _calibrate(project: Project, truth: Truth) -> None:
    """Draw pairs from the judge's verdicts, have it judge the negative controls, and label from the truth file."""
    judge = configured_judge(project.settings)
    draw_pairs(project.database, CHANNEL, judge)
    await judge_pairs(project.database, project.door, judge, CHANNEL)
    nuggets = {nugget.text: nugget for question in truth.questions for nugget in question.nuggets}
    label_from_truth(project.database, CHANNEL, nuggets)
