"""How everything grows with the number of videos: passes, searches, scoreboard, Dagster's tick and page.

    python benchmarks/scale.py 500 [2000 10000] [--folder DIR [--only searches dagster]]

The channel is generated (`scale_corpus.py`), every role is done by rules, and vectors are generated too, so that
what is measured is ours: reading, chunking, indexing, claims, threads, runs, scores. Each size has a folder and an
embedded Postgres of its own; with --folder they are kept, so that sizes can be measured one after another, and
parts again in a quiet hour. A table is printed for all sizes, with growth exponents between them:
log(time ratio) / log(size ratio); 1.0 is linear, 0 does not grow.
"""

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from sqlalchemy import text

sys.path.insert(0, str(Path(__file__).resolve().parent))
from scale_corpus import GeneratedVectors, add_video, gold, shifts, vocabulary, write_channel, write_video
from scale_dagster import dagster_figures
from scale_figures import Figures, check, clock, show

from answertrail_pipeline.gold.versions import store_version
from answertrail_pipeline.pipeline.channel_pass import ChannelReport
from answertrail_pipeline.pipeline.project import Project, open_project
from answertrail_pipeline.pipeline.run import run_channels
from answertrail_pipeline.pipeline.watch import Listeners, Silent
from answertrail_pipeline.retrieval.search import search
from answertrail_pipeline.retrieval.types import Query
from answertrail_pipeline.scoring.board import Scoreboard
from answertrail_pipeline.scoring.scoreboard import scoreboard
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.stage_run import StageReport

CHANNEL = "scale"
CONFIG = """
[channels.scale]
source = {kind = "jsonl", path = "library"}
[arms.single-dense]
agent = "single_shot"
retriever = {kind = "dense", k = 10}
[arms.react-trajectory]
agent = "react"
retriever = {kind = "trajectory", k = 40}
"""


class StageTimes(Silent):
    """Notes how long each stage of a pass took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def starts(self, where: str, stage: str) -> Listeners:
        """Show on standard error what runs, since a large size takes an hour."""
        print(f"{datetime.now(UTC):%H:%M:%S}   {where} {stage} ...", file=sys.stderr, flush=True)
        return super().starts(where, stage)

    def ends(self, _where: str, report: StageReport, seconds: float) -> None:
        """Add a stage's seconds."""
        self.seconds[report.stage] = self.seconds.get(report.stage, 0.0) + seconds


def measure(folder: Path, videos: int, parts: Sequence[str]) -> Figures:
    """Measure some parts, or all, on a channel of one size; figures are kept in its folder as they come.

    A part that was measured already is measured again only where it is named.
    """
    kept = folder / "figures.json"
    figures: Figures = json.loads(kept.read_text("utf-8")) if kept.exists() else {"videos": videos}
    todo = parts or ([] if kept.exists() else list(PARTS))
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    if "passes" in todo:
        check(not (folder / "library").exists(), f"there is a channel in {folder} already: remove it")
        with clock(figures, "made the captions (not counted)"):
            write_channel(folder / "library", videos)
        (folder / "answertrail.toml").write_text(CONFIG, "utf-8")
    with project_at(folder) as project:
        for name in todo:
            print(f"{datetime.now(UTC):%H:%M:%S} {videos:,} videos: {name}", file=sys.stderr, flush=True)
            figures |= PARTS[name](project, folder / "library", videos)
            kept.write_text(json.dumps(figures), "utf-8")
    return figures


def passes(project: Project, _library: Path, _videos: int) -> Figures:
    """Return seconds of the first run and of one with nothing to do, and how much there is."""
    figures: Figures = {}
    with project.database.begin() as connection:
        store_version(connection, gold(CHANNEL), "v1")
    first = one_pass(project, figures, "first run", stages=True)
    check(first.errors == {} and first.stopped == [], f"the first run: {first.errors} {first.stopped}")
    figures |= sizes(project)
    again = one_pass(project, figures, "no-op rerun", stages=True)
    redone = {stage.stage: stage.computed for stage in again.stages if stage.computed}
    check(not redone, f"the no-op rerun computed {redone}")
    return figures


def changes(project: Project, library: Path, videos: int) -> Figures:
    """Return seconds of a pass after one video has changed, and after one has come; and the memory of it all."""
    figures: Figures = {}
    write_video(library, videos // 2, ["A tin of Oldham primer weighs 3 kilos."])
    one_pass(project, figures, "one changed video", stages=True)
    add_video(library, videos)
    one_pass(project, figures, "one new video", stages=True)
    figures["memory, MiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return figures


@contextmanager
def project_at(folder: Path) -> Iterator[Project]:
    """Open the project with generated vectors in the place of an embedding model."""
    with open_project(folder / "answertrail.toml") as project:
        project._embedders[CHANNEL] = GeneratedVectors()  # type: ignore[assignment]
        yield project


def one_pass(project: Project, figures: Figures, name: str, *, stages: bool = False) -> ChannelReport:
    """Do everything that is due, as `answertrail run` does."""
    watcher = StageTimes()
    with clock(figures, name):
        [report] = project.run(run_channels(project, [CHANNEL], "people", watcher))
    if stages:
        for stage, seconds in watcher.seconds.items():
            figures[f"  {name}: {stage}, s"] = seconds
    return report


def sizes(project: Project) -> Figures:
    """Return how much there is."""
    with project.database.begin() as connection:
        chunks = connection.execute(text("select count(*) from chunks")).scalar_one()
        claims = connection.execute(text("select count(*) from claims")).scalar_one()
        size = connection.execute(text("select pg_database_size(current_database())")).scalar_one()
    return {"chunks": chunks, "claims": claims, "database, MB": size / 1e6}


def searches(project: Project, _library: Path, _videos: int) -> Figures:
    """Return milliseconds of one search, by retriever."""
    figures: Figures = {}
    embedder = project.embedder(CHANNEL)
    for kind, k in (("dense", 10), ("bm25", 10), ("trajectory", 40)):
        settings = RetrieverSettings(kind=kind, k=k)  # type: ignore[arg-type]
        taken = []
        for words in asked():
            start = time.perf_counter()
            found = search(project.database, CHANNEL, "en", settings, embedder, Query(words))
            taken.append(1000 * (time.perf_counter() - start))
            check(len(found.hits) > 0, f"{kind} found nothing for {words}")
        figures[f"{kind} p50, ms"], figures[f"{kind} p95, ms"] = np.percentile(taken, [50, 95]).tolist()
    return figures


def asked() -> list[str]:
    """Return twenty searches: each of a planted topic and two words that many chunks say, as words of speech are.

    Of all chunks, 30% to 10% say the first word, 6% to 2% the second.
    """
    words, _ = vocabulary()
    return [
        f"{question} {words[20 + 6 * place]} {words[150 + 30 * place]}"
        for place, shift in enumerate(shifts())
        for question in (
            f"How did the view of {shift.topic} for iron bridges change?",
            f"What does a tin of Oldham {shift.topic} cost?",
        )
    ]


def scores(project: Project, _library: Path, _videos: int) -> Figures:
    """Return seconds of a scoreboard from stored verdicts, and how much of what is planted came through."""
    figures: Figures = {}
    with clock(figures, "scoreboard"):
        board = scoreboard(project.database, CHANNEL, project.settings)
    return figures | truth(project, board)


def truth(project: Project, board: Scoreboard) -> Figures:
    """Return how much of what is planted was found: threads, and nuggets by each arm."""
    with project.database.begin() as connection:
        topics = set(connection.execute(text("select topic from threads")).scalars())
    planted = [shift.topic for shift in shifts()]
    figures = {"planted topics with a thread": float(sum(any(t in topic for topic in topics) for t in planted))}
    for arm in board.arms:
        for tier in board.tiers:
            metric = arm.metric(tier, "recall")
            if metric is not None and metric.value is not None:
                figures[f"recall {arm.name} {tier}, %"] = 100 * float(metric.value)
    return figures


PARTS: dict[str, Callable[[Project, Path, int], Figures]] = {
    "passes": passes,
    "searches": searches,
    "scores": scores,
    "changes": changes,
    "dagster": lambda project, _library, _videos: dagster_figures(project),
}


def main() -> None:
    """Measure each size and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", type=int, nargs="+", help="numbers of videos")
    parser.add_argument("--folder", type=Path, help="where the sizes are kept: 10,000 videos need 25 GB")
    parser.add_argument("--only", choices=PARTS, nargs="+", default=[], help="measure these again in a kept size")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        Path(passing).chmod(0o755)
        folder = chosen.folder or Path(passing)
        measured = [measure(folder / str(videos), videos, chosen.only) for videos in chosen.sizes]
    print(json.dumps(measured[-1]), file=sys.stderr)
    show(measured)


if __name__ == "__main__":
    main()
