"""`answertrail dev` with the real Dagster daemon and UI on Postgres: uploads go through by themselves."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import text

from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.graphql import free_port, idle, runs, wait_for
from answertrail_pipeline_tests.e2e.library import SPEECH, write_video

pytestmark = pytest.mark.slow


@contextmanager
def dev(workplace: Workplace) -> Iterator[str]:
    """Run `answertrail dev`; yield the address of the Dagster UI."""
    port = free_port()
    config = str(workplace.root / "answertrail.toml")
    ports = ["--port", str(port), "--workbench-port", str(free_port())]
    process = subprocess.Popen(
        [sys.executable, "-m", "answertrail_pipeline.cli", "--config", config, "dev", *ports],
        env=os.environ.copy(),
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def finished(workplace: Workplace, stage: str) -> dict[str, str]:
    """Return the finished units of a stage with their output hashes and the time they were made."""
    with workplace.open() as project, project.database.begin() as connection:
        rows = connection.execute(
            text("select key, output_hash || finished_at::text from stage_run where stage = :stage"),
            {"stage": stage},
        )
        return {row[0]: row[1] for row in rows}


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
        assert {run["status"] for run in runs(address)} == {"SUCCESS"}
