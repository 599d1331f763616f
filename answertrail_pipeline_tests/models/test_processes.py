"""Processes that are killed, and processes that work on the same things at once."""

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable

import pytest
from sqlalchemy import text

from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.models.server import Reply, ScriptedServer

CALLS = 500


def start(database: Database, server: ScriptedServer, calls: int = CALLS) -> subprocess.Popen[bytes]:
    url = database.engine.url.render_as_string(hide_password=False)
    command = [
        sys.executable,
        "-m",
        "answertrail_pipeline_tests.models.killed_worker",
        url,
        server.url,
        str(calls),
    ]
    return subprocess.Popen(command, stderr=subprocess.PIPE)


def wait_until(reached: Callable[[], bool], worker: subprocess.Popen[bytes], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not reached() and worker.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.002)


def finish(worker: subprocess.Popen[bytes]) -> None:
    _, errors = worker.communicate(timeout=240)
    assert worker.returncode == 0, errors.decode()[-2000:]


def check_results(database: Database, calls: int = CALLS) -> None:
    with database.begin() as connection:
        rows = connection.execute(text("select state, request, reply from model_calls")).all()
    assert len(rows) == calls
    assert {row.state for row in rows} == {"done"}
    for row in rows:
        assert row.reply["content"] == f"answer to {row.request['messages'][0]['content']}"


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(20))
def test_a_killed_process_loses_nothing_and_repeats_at_most_what_was_in_flight(
    database: Database, scripted_server: ScriptedServer, moment: int
) -> None:
    scripted_server.latency = 0.1
    scripted_server.rule = lambda call: Reply(f"answer to {call.last_user}")
    kill_at = random.Random(moment).randrange(1, CALLS)
    worker = start(database, scripted_server)
    wait_until(lambda: len(scripted_server.calls) >= kill_at, worker)
    worker.kill()
    worker.wait()
    with database.begin() as connection:
        states = Counter(connection.execute(text("select state from model_calls")).scalars())
    in_flight = states["in_flight"]
    assert 0 < in_flight <= 32
    finish(start(database, scripted_server))
    check_results(database)
    asked = Counter(call.last_user for call in scripted_server.calls)
    assert max(asked.values()) <= 2
    assert len(scripted_server.calls) - CALLS <= in_flight


@pytest.mark.slow  # two interpreters import LiteLLM
def test_two_processes_at_once_make_each_call_once(database: Database, scripted_server: ScriptedServer) -> None:
    scripted_server.latency = 0.05
    scripted_server.rule = lambda call: Reply(f"answer to {call.last_user}")
    workers = [start(database, scripted_server, 200) for _ in range(2)]
    for worker in workers:
        finish(worker)
    check_results(database, 200)
    assert Counter(call.last_user for call in scripted_server.calls) == {str(n): 1 for n in range(200)}
    assert scripted_server.most_at_once <= 32
