"""Many machines: 40 run partitions on two Celery workers, one killed, give the rows of one process."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.pipeline.evaluation import declare_runs
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.graphql import LOCATION, free_port, graphql, runs, wait_for
from answertrail_pipeline_tests.e2e.library import write_config
from answertrail_pipeline_tests.e2e.rows import all_rows

pytestmark = pytest.mark.slow
REPETITIONS = 20  # x 2 arms = 40 partitions
PATIENCE = 1200
BACKFILL = """mutation($params: LaunchBackfillParams!) { launchPartitionBackfill(backfillParams: $params) {
    __typename ... on LaunchBackfillSuccess { backfillId } ... on PythonError { message } } }"""
ADD = """mutation($selector: RepositorySelector!, $key: String!) {
    addDynamicPartition(repositorySelector: $selector, partitionsDefName: "runs", partitionKey: $key) {
        __typename } }"""


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[str]:
    """A Redis of the test's own."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not on this machine (Debian: apt-get install redis-server)")
    port = free_port()
    process = subprocess.Popen(
        ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)],
        stdout=subprocess.DEVNULL,
    )
    yield f"redis://127.0.0.1:{port}/0"
    process.terminate()
    process.wait(30)


@contextmanager
def program(workplace: Workplace, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command of ours in the background, with all that it starts."""
    log = (workplace.root / f"{arguments[0]}-{time.monotonic_ns()}.log").open("wb")
    process = subprocess.Popen(
        [sys.executable, "-m", "answertrail_pipeline.cli", "--config", str(workplace.root / "answertrail.toml"),
         *arguments],
        env=os.environ.copy(), stdout=log, stderr=log, start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(120)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
        log.close()


def answertrail(workplace: Workplace, *arguments: str) -> None:
    with program(workplace, *arguments) as process:
        assert process.wait(PATIENCE) == 0


def rows(workplace: Workplace) -> dict[str, list[str]]:
    """All rows; of a call that several runs ask for, not which of them was the first."""
    with workplace.open() as project, project.database.begin() as connection:
        found = all_rows(connection)
    asked_first = {"arm": None, "run_key": None, "unit_key": None}
    calls = [json.loads(row) | asked_first for row in found["model_calls"]]
    found["model_calls"] = sorted(json.dumps(call, sort_keys=True) for call in calls)
    return found


def declared(workplace: Workplace) -> list[str]:
    with workplace.open() as project:
        gold = load_gold(project.database, "bridges")
        assert gold is not None
        return [run.run_key for run in declare_runs(project, "bridges", gold, (), REPETITIONS)]


def ended(address: str, count: int) -> bool:
    """Whether every partition has a run that succeeded."""
    done = {run["tags"]["dagster/partition"] for run in runs(address) if run["status"] == "SUCCESS"
            and "dagster/partition" in run["tags"]}  # fmt: skip
    return len(done) == count


def in_work(address: str) -> int:
    return sum(run["status"] == "STARTED" for run in runs(address))


def test_workers_give_the_rows_of_one_process_though_one_is_killed(
    workplace: Workplace, second_workplace: Workplace, broker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = f"repetitions = {REPETITIONS}\n[dagster]\nruns_at_once = 4\nmodel_steps_at_once = 4\n"
    for each in (workplace, second_workplace):
        path = write_config(each.root)
        path.write_text(more + path.read_text("utf-8"), "utf-8")
        with each.environment():
            each.freeze()
    with second_workplace.environment():
        answertrail(second_workplace, "run", "-q")
        alone = rows(second_workplace)

    # What is not split over workers, first: the corpus and its index.
    answertrail(workplace, "ingest", "-q")
    with workplace.open() as project:
        from answertrail_pipeline.pipeline.channel_pass import Pass
        from answertrail_pipeline.pipeline.watch import Silent

        project.run(Pass(project, "bridges", Silent()).propose())
    keys = declared(workplace)
    assert len(keys) == 40

    monkeypatch.setenv("ANSWERTRAIL_CELERY_BROKER", broker)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with (
        program(workplace, "dev", "--port", str(port), "--workbench-port", str(free_port())),
        program(workplace, "worker", "--slots", "2") as victim,
    ):
        wait_for("the UI", lambda: runs(address) == runs(address))
        with program(workplace, "worker", "--slots", "2"):
            for key in keys:
                graphql(address, ADD, selector=LOCATION, key=key)
            partitions = {
                "selector": {"repositorySelector": LOCATION, "partitionSetName": "evaluate_partition_set"},
                "partitionNames": keys,
            }
            launched = graphql(address, BACKFILL, params=partitions)["launchPartitionBackfill"]
            assert launched["__typename"] == "LaunchBackfillSuccess", launched
            wait_for("runs on both workers", lambda: in_work(address) >= 3, PATIENCE)
            os.killpg(victim.pid, signal.SIGKILL)
            with program(workplace, "worker", "--slots", "2"):  # as an orchestrator would start another
                wait_for("all 40 partitions", lambda: ended(address, len(keys)), PATIENCE)
                wait_for("an idle queue", lambda: not in_work(address), PATIENCE)
        assert all("dagster-celery/task_id" in run["tags"] for run in runs(address))
    answertrail(workplace, "run", "-q")  # scoreboard and report over all runs
    together = rows(workplace)
    for table, expected in alone.items():
        assert together[table] == expected, table
