"""Upgrades: the schema moves forward from every release and never back; a plan shows what new code would redo."""

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.gold import claims
from answertrail_pipeline.judging import verdicts
from answertrail_pipeline.pipeline.plan import plan_channel
from answertrail_pipeline.pipeline.planned import Planned
from answertrail_pipeline.pipeline.run import run_channels
from answertrail_pipeline.pipeline.stages import SCORE_STAGES
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.migrate import migrate, schema_state
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.library import write_config
from answertrail_pipeline_tests.e2e.rows import all_rows
from answertrail_pipeline_tests.models.server import Reply, ScriptedServer

# The rows of a finished evaluation as a release left them: NNNN.sql.gz, its schema's number (docs/operations.md).
RELEASED = sorted((Path(__file__).parents[1] / "store" / "released").glob("*.sql.gz"))


def revision(release: Path) -> str:
    return release.name.removesuffix(".sql.gz")


def go_back_to(database: Database, release: Path) -> None:
    """Leave the database as the release would have: its schema, its rows."""
    with database.begin() as connection:
        connection.execute(text("drop schema public cascade"))
        connection.execute(text("create schema public"))
    migrate(database.engine, to=revision(release))
    with database.begin() as connection:
        connection.exec_driver_sql(gzip.decompress(release.read_bytes()).decode().replace("%", "%%"))
        connection.execute(text("set search_path to default"))


def values(rows: dict[str, list[str]]) -> dict[str, int]:
    return {table: len(lines) for table, lines in rows.items()}


def answertrail(workplace: Workplace, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "answertrail_pipeline.cli", "--config", str(workplace.root / "answertrail.toml"),
         *arguments],
        env=os.environ.copy(), capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("release", RELEASED, ids=lambda path: path.name[:4])
def test_a_database_of_a_release_moves_forward_with_its_rows(
    workplace: Workplace, database: Database, release: Path
) -> None:
    go_back_to(database, release)
    with database.begin() as connection:
        before = all_rows(connection)
    assert len(before["stage_run"]) > 50
    state = schema_state(database.engine)
    assert (state.current, state.known) == (revision(release), True)
    assert state.missing[-1:] in ((), (state.newest,))

    migrate(database.engine)
    assert schema_state(database.engine).missing == ()
    with database.begin() as connection:
        after = all_rows(connection)
    assert {table: count for table, count in values(after).items() if table in before} == values(before)
    shown = answertrail(workplace, "score")  # stored verdicts still make a scoreboard
    assert shown.returncode == 0, shown.stderr
    assert "react-hybrid" in shown.stdout


def test_a_database_of_a_newer_version_is_refused_and_left_alone(workplace: Workplace, database: Database) -> None:
    with database.begin() as connection:
        connection.execute(text("update alembic_version set version_num = '9999'"))
        before = all_rows(connection)
    for command in (["run"], ["migrate"], ["status"]):
        refused = answertrail(workplace, *command)
        assert refused.returncode == 2
        assert "schema 9999, which this version does not know" in refused.stderr
        assert "Traceback" not in refused.stderr
    with database.begin() as connection:
        assert all_rows(connection) == before
    assert schema_state(database.engine).current == "9999"


def test_a_schema_never_goes_back(database: Database) -> None:
    newest = schema_state(database.engine).newest
    migrate(database.engine, to="0008")
    assert schema_state(database.engine).current == newest


def plan(workplace: Workplace) -> dict[str, Planned]:
    with workplace.open() as project:
        return {line.what: line for line in project.run(plan_channel(project, "bridges"))}


def run(workplace: Workplace) -> dict[str, int]:
    with workplace.open() as project:
        [report] = project.run(run_channels(project, ["bridges"], "people", Silent()))
    return {stage.stage: stage.computed for stage in report.stages}


def due(lines: dict[str, Planned]) -> dict[str, int | None]:
    return {what: line.units for what, line in lines.items() if line.units != 0 and not what.startswith("arm ")}


def test_new_code_of_the_judge_shows_in_the_plan_and_is_then_what_runs(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workplace.freeze()
    run(workplace)
    assert due(plan(workplace)) == {}
    monkeypatch.setattr(verdicts, "VERDICTS_VERSION", "of the next release")
    shown = plan(workplace)
    # 2 arms x 3 questions; what hangs on verdicts is not known before they are there.
    expected = {"verdicts": 6, "metrics": None, **dict.fromkeys(SCORE_STAGES)}
    assert due(shown) == expected
    assert (shown["verdicts"].calls, shown["verdicts"].cost.high_usd) == (0, 0)
    assert due(plan(workplace)) == expected  # a plan computes nothing


@pytest.fixture
def paid(workplace: Workplace, scripted_server: ScriptedServer) -> Callable[[], int]:
    """A workplace whose claims are extracted by a paid model; returns how many calls it has made."""
    scripted_server.rule = lambda _call: Reply({"claims": []}, usage=(500, 20))
    write_config(
        workplace.root,
        '[models.prices."openai/scripted"]\ninput_per_million = 10\noutput_per_million = 20\n'
        f'[models]\nextract = {{model = "openai/scripted", api_base = "{scripted_server.url}"}}\n'
        "[budget]\nrun_usd = 5\n",
    )
    return lambda: len(scripted_server.calls)


def test_new_code_and_new_prompts_show_with_their_cost_before_they_run(
    workplace: Workplace, paid: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(workplace)
    assert paid() == 6  # a call a video

    monkeypatch.setattr(claims, "CODE_VERSION", "of the next release")
    line = plan(workplace)["claims"]
    assert (line.units, line.calls, line.cost.high_usd) == (6, 0, 0)  # replies are in the ledger
    assert run(workplace)["claims"] == 6
    assert paid() == 6

    prompted = replace(claims.EXTRACT_CLAIMS, version="of the next release")
    vars(prompted)["system_prompt"] = "List every claim that somebody could check."
    monkeypatch.setattr(claims, "EXTRACT_CLAIMS", prompted)
    line = plan(workplace)["claims"]
    assert (line.units, line.calls) == (6, 6)
    assert line.cost.high_usd is not None
    assert line.cost.high_usd > 0
    assert paid() == 6  # nothing was asked to find that out
    assert run(workplace)["claims"] == 6
    assert paid() == 12
