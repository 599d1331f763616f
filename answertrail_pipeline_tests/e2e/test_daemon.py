"""`answertrail dev` with the real Dagster daemon and UI on Postgres: uploads go through by themselves."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import text

from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.library import SPEECH, write_video

pytestmark = pytest.mark.slow
PATIENCE = 600


@contextmanager
def dev(workplace: Workplace) -> Iterator[str]:
    """Run `answertrail dev`; yield the address of the Dagster UI."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = str(workplace.root / "answertrail.toml")
    process = subprocess.Popen(
        [sys.executable, "-m", "answertrail_pipeline.cli", "--config", config, "dev", "--port", str(port)],
        env=os.environ.copy(),
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def graphql(address: str, query: str, **variables: Any) -> Any:
    request = urllib.request.Request(
        f"{address}/graphql",
        json.dumps({"query": query, "variables": variables}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.load(reply)["data"]


def wait_for(what: str, true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if true():
                return
        except OSError:  # the UI is not up yet
            pass
        time.sleep(2)
    pytest.fail(f"waited {PATIENCE} s for {what}")


def finished(workplace: Workplace, stage: str) -> dict[str, str]:
    """Return the finished units of a stage with their output hashes and the time they were made."""
    with workplace.open() as project, project.database.begin() as connection:
        rows = connection.execute(
            text("select key, output_hash || finished_at::text from stage_run where stage = :stage"),
            {"stage": stage},
        )
        return {row[0]: row[1] for row in rows}


RUNS = "{ runsOrError { ... on Runs { results { status } } } }"


def idle(address: str) -> bool:
    runs = graphql(address, RUNS)["runsOrError"]["results"]
    return bool(runs) and all(run["status"] in ("SUCCESS", "FAILURE", "CANCELED") for run in runs)


def test_uploads_go_through_by_themselves_and_a_change_touches_one_video(workplace: Workplace) -> None:
    with dev(workplace) as address:
        wait_for("the first claims", lambda: len(finished(workplace, "claims")) == len(SPEECH))
        wait_for("threads", lambda: len(finished(workplace, "threads")) == 1)
        wait_for("an idle daemon", lambda: idle(address))
        before = {stage: finished(workplace, stage) for stage in ("chunks", "embeddings", "claims")}
        day, speech = SPEECH["paint-00004"]
        write_video(workplace.captions, "paint-00004", day, speech.replace("41 litres", "43 litres"))
        key = "bridges/paint-00004"
        wait_for("the changed claims", lambda: finished(workplace, "claims")[key] != before["claims"][key])
        wait_for("an idle daemon", lambda: idle(address))
        for stage, units in before.items():
            after = finished(workplace, stage)
            assert {each for each in after if after[each] != units[each]} == {key}, stage
        statuses = {run["status"] for run in graphql(address, RUNS)["runsOrError"]["results"]}
        assert statuses == {"SUCCESS"}
