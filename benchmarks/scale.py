"""How everything grows with the number of videos: passes, searches, scoreboard, Dagster's tick and page.

    python benchmarks/scale.py 500 [2000 10000] [--no-dagster] [--folder DIR]

The channel is generated (`scale_corpus.py`), every role is done by rules, and vectors are generated too, so that
what is measured is ours: reading, chunking, indexing, claims, threads, runs, scores. Each size has a folder and an
embedded Postgres of its own. A table is printed for each size, with growth exponents between sizes:
log(time ratio) / log(size ratio); 1.0 is linear, 0 does not grow.
"""

import argparse
import itertools
import json
import math
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dagster as dg
import numpy as np
import psutil
from sqlalchemy import text

sys.path.insert(0, str(Path(__file__).resolve().parent))
from scale_corpus import GeneratedVectors, add_video, gold, shifts, write_channel, write_video

from answertrail_pipeline.assets.instance import dagster_environment, open_instance, prepare_instance
from answertrail_pipeline.assets.outbox import report_all
from answertrail_pipeline.definitions import build_defs
from answertrail_pipeline.gold.versions import store_version
from answertrail_pipeline.pipeline.project import Project, open_project
from answertrail_pipeline.pipeline.run import ChannelReport, run_channels
from answertrail_pipeline.pipeline.watch import Listeners, Silent
from answertrail_pipeline.retrieval.search import search
from answertrail_pipeline.retrieval.types import Query
from answertrail_pipeline.scoring.board import Scoreboard
from answertrail_pipeline.scoring.scoreboard import scoreboard
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.store.shipped import shipped
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
QUERIES = 20
PAGE = """query($key: AssetKeyInput!) { assetNodeOrError(assetKey: $key) { ... on AssetNode {
    partitionStats { numMaterialized numPartitions numFailed }
    assetPartitionStatuses { ... on DefaultPartitionStatuses { materializedPartitions unmaterializedPartitions } }
    assetChecksOrError { ... on AssetChecks { checks { name description
        executionForLatestMaterialization { status } } } } } } }"""

Figures = dict[str, float]


class StageTimes(Silent):
    """Notes how long each stage of a pass took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def starts(self, channel: str, stage: str) -> Listeners:
        """Show on standard error what runs, since a large size takes an hour."""
        print(f"  {channel} {stage} ...", file=sys.stderr)
        return super().starts(channel, stage)

    def ends(self, _channel: str, report: StageReport, seconds: float) -> None:
        """Add a stage's seconds."""
        self.seconds[report.stage] = self.seconds.get(report.stage, 0.0) + seconds


def measure(folder: Path, videos: int, *, dagster: bool) -> Figures:
    """Run everything on a channel of one size and return what it took."""
    figures: Figures = {"videos": videos}
    library = folder / "library"
    with clock(figures, "made the captions (not counted)"):
        write_channel(library, videos)
    (folder / "answertrail.toml").write_text(CONFIG, "utf-8")
    with project_at(folder) as project:
        with project.database.begin() as connection:
            store_version(connection, gold(CHANNEL), "v1")
        first = one_pass(project, figures, "first run", stages=True)
        check(first.errors == {} and first.stopped == [], f"the first run: {first.errors} {first.stopped}")
        figures |= sizes(project)
        again = one_pass(project, figures, "no-op rerun")
        redone = {stage.stage: stage.computed for stage in again.stages if stage.computed}
        check(not redone, f"the no-op rerun computed {redone}")
        figures |= searches(project)
        board = board_of(project, figures)
        figures |= truth(project, board)
        write_video(library, videos // 2, ["A tin of Oldham primer weighs 3 kilos."])
        one_pass(project, figures, "one changed video", stages=True)
        add_video(library, videos)
        one_pass(project, figures, "one new video", stages=True)
        figures["memory, MiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        if dagster:
            figures |= dagster_figures(project)
    return figures


@contextmanager
def project_at(folder: Path) -> Iterator[Project]:
    """Open the project with generated vectors in the place of an embedding model."""
    with open_project(folder / "answertrail.toml") as project:
        project._embedders[CHANNEL] = GeneratedVectors()  # type: ignore[assignment]
        yield project


@contextmanager
def clock(figures: Figures, name: str) -> Iterator[None]:
    """Note how long a block takes."""
    start = time.perf_counter()
    yield
    figures[f"{name}, s"] = time.perf_counter() - start


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


def searches(project: Project) -> Figures:
    """Return milliseconds of one search, by retriever."""
    figures: Figures = {}
    embedder = project.embedder(CHANNEL)
    asked = [f"How did the view of {shift.topic} for iron bridges change?" for shift in shifts()]
    asked += [f"What does a tin of Oldham {shift.topic} cost?" for shift in shifts()]
    for kind, k in (("dense", 10), ("bm25", 10), ("trajectory", 40)):
        settings = RetrieverSettings(kind=kind, k=k)  # type: ignore[arg-type]
        taken = []
        for words in asked[:QUERIES]:
            start = time.perf_counter()
            found = search(project.database, CHANNEL, "en", settings, embedder, Query(words))
            taken.append(1000 * (time.perf_counter() - start))
            check(len(found.hits) > 0, f"{kind} found nothing for {words}")
        figures[f"{kind} p50, ms"], figures[f"{kind} p95, ms"] = np.percentile(taken, [50, 95]).tolist()
    return figures


def board_of(project: Project, figures: Figures) -> Scoreboard:
    """Make the scoreboard from stored verdicts."""
    with clock(figures, "scoreboard"):
        return scoreboard(project.database, CHANNEL, project.settings)


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


def dagster_figures(project: Project) -> Figures:
    """Return seconds of telling Dagster everything, of an idle automation tick, and of the UI's asset page."""
    figures: Figures = {}
    os.environ["ANSWERTRAIL_CONFIG"] = str(project.settings.config)
    prepare_instance(project)
    with open_instance(project) as instance:
        with clock(figures, "telling Dagster of all units"):
            report_all(instance, project)
        definitions = build_defs()
        with clock(figures, "first automation tick"):
            first = dg.evaluate_automation_conditions(defs=definitions, instance=instance)
        with clock(figures, "idle automation tick"):
            idle = dg.evaluate_automation_conditions(defs=definitions, instance=instance, cursor=first.cursor)
        check(idle.total_requested == 0, f"the idle tick requested {idle.total_requested} partitions")
        figures["partitions"] = len(instance.get_dynamic_partitions("videos"))
    environment = os.environ | dagster_environment(project)
    with webserver(environment, project.settings.data_dir) as address:
        for asset in ("chunks", "claims"):
            taken = []
            for _ in range(3):
                start = time.perf_counter()
                node = graphql(address, PAGE, key={"path": [asset]})["assetNodeOrError"]
                taken.append(time.perf_counter() - start)
            check(node["partitionStats"]["numMaterialized"] > 0, f"the page of {asset} shows no partition")
            figures[f"asset page of {asset}, s"] = float(np.median(taken))
    return figures


@contextmanager
def webserver(environment: dict[str, str], folder: Path) -> Iterator[str]:
    """Start Dagster's web server; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = str(Path(sys.executable).parent / "dagster-webserver")
    command = [program, "-w", str(shipped("workspace.yaml")), "-h", "127.0.0.1", "-p", str(port)]
    with (folder / "webserver.log").open("w") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: graphql(address, "{ version }"))
        yield address
    finally:
        for child in [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]:
            child.terminate()
        process.wait(30)


def graphql(address: str, query: str, **variables: Any) -> Any:
    """Return the data of a reply."""
    body = json.dumps({"query": query, "variables": variables}).encode()
    request = urllib.request.Request(f"{address}/graphql", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as reply:
        answer = json.load(reply)
    check("errors" not in answer, str(answer.get("errors")))
    return answer["data"]


def wait_for(true: Callable[[], Any], patience: float = 120) -> None:
    """Wait until the web server answers."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        try:
            if true():
                return
        except OSError:
            pass
        time.sleep(0.5)
    raise SystemExit(f"the web server did not answer within {patience} s")


def check(holds: bool, otherwise: str) -> None:
    """Stop where what is measured is not what it should be."""
    if not holds:
        raise SystemExit(f"Not measured: {otherwise}")


def exponent(small: Figures, large: Figures, name: str) -> float | None:
    """Return how a figure grows with the number of videos."""
    if min(small.get(name, 0), large.get(name, 0)) <= 0 or small["videos"] == large["videos"]:
        return None
    return math.log(large[name] / small[name]) / math.log(large["videos"] / small["videos"])


def show(measured: list[Figures]) -> None:
    """Print a line a figure: by size, then the exponent from each size to the next."""
    heads = [f"{figures['videos']:,.0f}" for figures in measured]
    grows = [f"{old}->{new}" for old, new in itertools.pairwise(heads)]
    print(f"{'':<44}" + "".join(f"{head:>14}" for head in (*heads, *grows)))
    names = list(dict.fromkeys(name for figures in measured for name in figures))
    for name in names:
        values = [f"{figures[name]:,.3g}" if figures.get(name, 0) < 100 else f"{figures[name]:,.0f}"
                  if name in figures else "-" for figures in measured]  # fmt: skip
        growth = [exponent(old, new, name) for old, new in itertools.pairwise(measured)]
        print(f"{name:<44}" + "".join(f"{value:>14}" for value in values)
              + "".join(f"{'-' if one is None else f'{one:.2f}':>14}" for one in growth))  # fmt: skip
    for figures in measured:
        goals(figures)


def goals(figures: Figures) -> None:
    """Print how the goals of the issue stand at one size."""
    first, videos = figures["first run, s"], figures["videos"]
    no_op = figures["no-op rerun, s"] / first
    constant = figures["one changed video, s"] - first / videos
    said = [
        f"a no-op rerun is {no_op:.2%} of the first (goal 2%)",
        f"one changed video is 1/N of the first run + {constant:.1f} s",
        f"dense {figures['dense p50, ms']:.0f} ms, bm25 {figures['bm25 p50, ms']:.0f} ms (goal 500)",
    ]
    if "partitions" in figures:
        pages = max(value for name, value in figures.items() if name.startswith("asset page"))
        said.append(f"idle tick {figures['idle automation tick, s']:.1f} s (goal 5), page {pages:.1f} s (goal 6)")
    print(f"{videos:,.0f} videos: " + "; ".join(said))


def main() -> None:
    """Measure each size and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", type=int, nargs="+", help="numbers of videos")
    parser.add_argument("--no-dagster", action="store_true", help="leave out Dagster's tick and page")
    parser.add_argument("--folder", type=Path, help="where to work: 10,000 videos need 25 GB")
    chosen = parser.parse_args()
    measured = []
    for videos in chosen.sizes:
        with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
            Path(folder).chmod(0o755)
            measured.append(measure(Path(folder), videos, dagster=not chosen.no_dagster))
        print(json.dumps(measured[-1]), file=sys.stderr)
    show(measured)


if __name__ == "__main__":
    main()
