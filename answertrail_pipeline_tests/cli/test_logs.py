"""One line a unit of work, for people and for machines."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from answertrail_pipeline.cli.logs import JsonLines, ids, set_up_logs
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit, run_stage

RUN = "talks/react/v1/c1/r1"


async def run_two(database: Database) -> None:
    async def compute(unit: Unit) -> Computed:
        if unit.key.endswith("q2"):
            raise UnitError("timeout", "no reply in 5 s")
        return Computed("out", lambda _connection: None, counts={"verdicts": 4})

    units = [Unit(f"{RUN}/q1", "in"), Unit(f"{RUN}/q2", "in")]
    await run_stage(database, Stage("verdicts", "talks", "1", lambda: units, compute))


async def test_each_unit_is_one_line_with_its_ids(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "answertrail_pipeline"):
        await run_two(database)
    done, failed = (json.loads(JsonLines().format(record)) for record in caplog.records)
    assert done.pop("at").endswith("+00:00")
    assert done.pop("seconds") >= 0
    assert done.pop("message").startswith(f"verdicts {RUN}/q1: done in 0.")
    assert done == {
        "level": "info", "stage": "verdicts", "channel": "talks", "key": f"{RUN}/q1", "state": "done",
        "reason": None, "counts": {"verdicts": 4}, "run": RUN, "question": "q1",
    }  # fmt: skip
    assert (failed["level"], failed["state"], failed["question"]) == ("warning", "error", "q2")
    assert failed["reason"] == "timeout: no reply in 5 s"


@pytest.mark.parametrize(
    ("stage", "key", "expected"),
    [
        ("chunks", "talks/-a%2Eb", {"video": "-a.b"}),
        ("claims", "talks/abc", {"video": "abc"}),
        ("nuggets", "talks/f-001", {"question": "f-001"}),
        ("metrics", RUN, {"run": RUN}),
        ("agent_runs", f"{RUN}/q%2F1", {"run": RUN, "question": "q/1"}),
        ("scoreboard", "talks", {}),
    ],
)
def test_ids_are_read_from_keys(stage: str, key: str, expected: dict[str, str]) -> None:
    assert ids(stage, key) == expected


@contextmanager
def fresh_logs(*, verbose: bool, as_json: bool) -> Iterator[None]:
    """Set the logs up as at the start of the command, and put them back."""
    root, ours = logging.getLogger(), logging.getLogger("answertrail_pipeline")
    before, level, own = root.handlers[:], root.level, ours.level
    root.handlers = []
    set_up_logs(verbose=verbose, as_json=as_json)
    yield
    root.handlers = before
    root.setLevel(level)
    ours.setLevel(own)


def test_other_programs_requests_are_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    with fresh_logs(verbose=True, as_json=True):
        logging.getLogger("httpx").info("POST https://hooks.example/SECRET")
        logging.getLogger("answertrail_pipeline.x").info("one\nline")
    lines = capsys.readouterr().err.splitlines()
    assert [json.loads(line)["message"] for line in lines] == ["one\nline"]


def test_without_verbose_only_errors_are_told_to_people(capsys: pytest.CaptureFixture[str]) -> None:
    with fresh_logs(verbose=False, as_json=False):
        logging.getLogger("answertrail_pipeline.x").warning("a unit failed")
        logging.getLogger("answertrail_pipeline.x").error("this is bad")
    assert capsys.readouterr().err.rstrip().endswith("ERROR this is bad")
