"""kill -9 in the middle of `answertrail run`, then again: the same rows as an undisturbed run."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.rows import all_rows

pytestmark = pytest.mark.slow
KILLS = 6


def command(root: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "answertrail_pipeline.cli",
            "--config",
            str(root / "answertrail.toml"),
            "run",
            "-q",
        ],
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )


def finish(root: Path) -> float:
    started = time.monotonic()
    assert command(root).wait(600) == 0
    return time.monotonic() - started


def rows(workplace: Workplace) -> dict[str, list[str]]:
    with workplace.open() as project, project.database.begin() as connection:
        return all_rows(connection)


def test_a_killed_pass_resumes_to_the_same_rows(workplace: Workplace, second_workplace: Workplace) -> None:
    chance = random.Random(20261130)
    with second_workplace.environment():
        second_workplace.freeze()
        whole = finish(second_workplace.root)
        undisturbed = rows(second_workplace)
    with workplace.environment():
        workplace.freeze()
        for _ in range(KILLS):
            process = command(workplace.root)
            time.sleep(chance.uniform(0.2, 0.9) * whole)
            process.kill()
            process.wait()
        finish(workplace.root)
        disturbed = rows(workplace)
    for table, expected in undisturbed.items():
        assert disturbed[table] == expected, table
