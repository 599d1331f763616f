"""Processes that are killed, and processes that work on the same things at once."""

import multiprocessing
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing.context import ForkServerProcess

import pytest
from sqlalchemy import text

from answertrail_pipeline.models.door import LEASE_SECONDS
from answertrail_pipeline.models.quiet import set_quiet_environment
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.models.killed_worker import work
from answertrail_pipeline_tests.models.server import Reply, ScriptedServer

CALLS = 500
PATIENCE = 600  # seconds: what is waited for takes two on a quiet machine

pytestmark = pytest.mark.slow

SHORT_LEASE = 1.0  # seconds: what a dead process had in flight is taken over soon

Start = Callable[[int, float], ForkServerProcess]


@pytest.fixture
def start(database: Database, scripted_server: ScriptedServer) -> Iterator[Start]:
    """Start workers that share one import of LiteLLM; none outlives the test."""
    set_quiet_environment()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["litellm", "answertrail_pipeline_tests.models.killed_worker"])
    url = database.engine.url.render_as_string(hide_password=False)
    workers = []

    def start_worker(calls: int, lease_seconds: float) -> ForkServerProcess:
        worker = context.Process(target=work, args=(url, scripted_server.url, calls, lease_seconds))
        worker.start()
        workers.append(worker)
        return worker

    scripted_server.rule = lambda call: Reply(f"answer to {call.last_user}")
    yield start_worker
    for worker in workers:
        worker.kill()
        worker.join()


def finish(worker: ForkServerProcess) -> None:
    worker.join(PATIENCE)
    assert worker.exitcode == 0


def check_results(database: Database, calls: int = CALLS) -> None:
    with database.begin() as connection:
        rows = connection.execute(text("select state, request, reply from model_calls")).all()
    assert len(rows) == calls
    assert {row.state for row in rows} == {"done"}
    for row in rows:
        assert row.reply["content"] == f"answer to {row.request['messages'][0]['content']}"


@pytest.mark.parametrize("moment", range(20))
def test_a_killed_process_loses_nothing_and_repeats_at_most_what_was_in_flight(
    database: Database, scripted_server: ScriptedServer, start: Start, moment: int
) -> None:
    scripted_server.latency = 0.1
    kill_at = random.Random(moment).randrange(1, CALLS)
    worker = start(CALLS, SHORT_LEASE)
    end = time.monotonic() + PATIENCE
    while len(scripted_server.calls) < kill_at and time.monotonic() < end:
        time.sleep(0.002)
    worker.kill()
    worker.join()
    with database.begin() as connection:
        states = Counter(connection.execute(text("select state from model_calls")).scalars())
    in_flight = states["in_flight"]
    assert 0 < in_flight <= 32
    finish(start(CALLS, SHORT_LEASE))
    check_results(database)
    asked = Counter(call.last_user for call in scripted_server.calls)
    assert max(asked.values()) <= 2
    assert len(scripted_server.calls) - CALLS <= in_flight


def test_two_processes_at_once_make_each_call_once(
    database: Database, scripted_server: ScriptedServer, start: Start
) -> None:
    scripted_server.latency = 0.05
    workers = [start(200, LEASE_SECONDS) for _ in range(2)]
    for worker in workers:
        finish(worker)
    check_results(database, 200)
    assert Counter(call.last_user for call in scripted_server.calls) == {str(n): 1 for n in range(200)}
    assert scripted_server.most_at_once <= 32
