"""The baseline pipeline with every socket but Postgres's own refused, in all threads and in libpq."""

import socket
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from answertrail_pipeline.pipeline.run import run_channels
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline_tests.e2e.conftest import Workplace


class Watch:
    """Hears every socket that Python opens to somebody, and refuses all but those of this machine's files."""

    def __init__(self) -> None:
        self.on = False
        self.refused: list[str] = []

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event in ("socket.getaddrinfo", "socket.gethostbyname"):
            self._refuse(f"{event} {args[0]}")
        if event in ("socket.connect", "socket.sendto", "socket.bind") and args[0].family != socket.AF_UNIX:
            self._refuse(f"{event} {args[1]}")

    def _refuse(self, what: str) -> None:
        self.refused.append(what)
        raise PermissionError(f"no network in this test: {what}")


_watch = Watch()
sys.addaudithook(_watch)  # cannot be taken away again: it does nothing while it is off


@pytest.fixture
def no_network() -> Iterator[Watch]:
    """Refuse the network while the test runs."""
    _watch.refused.clear()
    _watch.on = True
    yield _watch
    _watch.on = False


def test_the_watch_refuses_a_connection_and_a_name(no_network: Watch) -> None:
    with socket.socket() as one, pytest.raises(PermissionError, match=r"socket\.connect"):
        one.connect(("127.0.0.1", 9))
    with pytest.raises(PermissionError, match="getaddrinfo"):
        socket.create_connection(("models.invalid", 443))
    assert len(no_network.refused) == 2


def test_the_baseline_pipeline_runs_from_captions_to_the_report_without_a_network(
    workplace: Workplace, no_network: Watch
) -> None:
    workplace.freeze()
    with workplace.open() as project:
        assert project.database.engine.url.query["host"].startswith("/"), "Postgres is reached by a file"  # type: ignore[union-attr]
        [report] = project.run(run_channels(project, ["bridges"], "people", Silent()))
    assert report.errors == {}
    assert {stage.stage for stage in report.stages if stage.computed} >= {
        "chunks",
        "embeddings",
        "claims",
        "report",
    }
    assert no_network.refused == []
