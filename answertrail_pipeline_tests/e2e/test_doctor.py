"""`answertrail doctor`: what can be wrong is found, named, and told how to mend; nothing is changed."""

import json
import shutil
import time
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from dagster._daemon.types import DaemonHeartbeat
from sqlalchemy import text
from typer.testing import CliRunner

from answertrail_pipeline.assets.health import examine_dagster
from answertrail_pipeline.assets.instance import open_instance, prepare_instance
from answertrail_pipeline.cli import commands  # noqa: F401  # registers the commands
from answertrail_pipeline.cli.main import app
from answertrail_pipeline.models import embedders
from answertrail_pipeline.pipeline.doctor import Finding, Health, examine_database, examine_settings
from answertrail_pipeline.settings import Settings, load_settings
from answertrail_pipeline.store import database as store
from answertrail_pipeline.store.migrate import schema_state
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.library import write_config

OK, WARN, FAIL = Health.OK, Health.WARN, Health.FAIL


def settings_of(workplace: Workplace) -> Settings:
    return load_settings(workplace.root / "answertrail.toml")


def one(findings: Iterable[Finding], name: str) -> Finding:
    return next(finding for finding in findings if finding.name == name)


def of_database(workplace: Workplace, name: str, **options: Any) -> Finding:
    settings = settings_of(workplace)
    with store.reach_database(settings) as database:
        return one(examine_database(settings, database, **options), name)


def of_dagster(workplace: Workplace, name: str) -> Finding:
    settings = settings_of(workplace)
    with store.reach_database(settings) as database:
        return one(examine_dagster(settings, database), name)


def change(workplace: Workplace, statement: str, **values: Any) -> None:
    with workplace.open() as project, project.database.begin() as connection:
        connection.execute(text(statement), values)


def store_unit(workplace: Workplace, stage: str, **values: Any) -> None:
    row = {"stage": stage, "state": "done", "reason": None, "version": "1", "at": datetime.now(UTC)} | values
    change(
        workplace,
        "insert into stage_run (stage, key, channel, input_hash, output_hash, code_version, state, reason,"
        " counts, finished_at) values (:stage, 'k', 'bridges', 'i', 'o', :version, :state, :reason, '{}', :at)",
        **row,
    )


class Answer(NamedTuple):
    code: int
    text: str


def doctor(workplace: Workplace, *options: str) -> Answer:
    done = CliRunner().invoke(app, ["--config", str(workplace.root / "answertrail.toml"), "doctor", *options])
    return Answer(done.exit_code, done.stdout)


# Disk, weights, keys


@pytest.mark.parametrize(("free_gib", "health"), [(67.0, OK), (4.9, WARN), (0.4, FAIL)])
def test_a_disk_that_fills(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch, free_gib: float, health: Health
) -> None:
    usage = shutil.disk_usage(workplace.root)
    free = int(free_gib * 2**30)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=free))
    finding = one(examine_settings(settings_of(workplace)), "disk")
    assert finding.health is health
    assert f"{free_gib} GiB free" in finding.says
    assert bool(finding.mend) == (health is not OK)


def test_weights_that_are_not_the_right_ones(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert one(examine_settings(settings_of(workplace)), "embedding model").health is OK
    (tmp_path / "weights").write_bytes(b"other")
    monkeypatch.setitem(embedders._WEIGHTS, "minilm-int8", lambda: tmp_path / "weights")
    finding = one(examine_settings(settings_of(workplace)), "embedding model")
    assert finding.health is FAIL
    assert "SHA-256" in finding.says
    (tmp_path / "weights").unlink()
    assert one(examine_settings(settings_of(workplace)), "embedding model").health is FAIL


def test_a_key_that_is_missing_is_named_and_one_that_is_there_is_not_shown(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert one(examine_settings(settings_of(workplace)), "keys").says == "no model needs one"
    write_config(workplace.root, '[models]\njudge = {model = "openai/gpt-5"}\n')
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    finding = one(examine_settings(settings_of(workplace)), "keys")
    assert (finding.health, finding.mend) == (FAIL, "export OPENAI_API_KEY=...")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-indeed")
    finding = one(examine_settings(settings_of(workplace)), "keys")
    assert finding.health is OK
    assert "sk-very-secret-indeed" not in doctor(workplace).text


# Database, extension, migrations, clock


def test_a_database_that_does_not_answer(workplace: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://somebody:secret-word@127.0.0.1:1/answertrail")
    code, shown = doctor(workplace, "--json")
    finding = next(each for each in json.loads(shown)["findings"] if each["name"] == "database")
    assert code == 1
    assert finding["health"] == "fail"
    assert "cannot be reached" in finding["says"]
    assert "secret-word" not in shown


def test_an_extension_that_is_too_old(workplace: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    assert of_database(workplace, "extension").health is OK
    monkeypatch.setattr(store, "MIN_PGVECTOR", (99, 0))
    finding = of_database(workplace, "extension")
    assert finding.health is FAIL
    assert "at least 99.0 is needed" in finding.says


@pytest.mark.parametrize(
    ("revision", "health", "mend"),
    [("0008", WARN, "answertrail migrate"), ("9999", FAIL, "pip install --upgrade answertrail-pipeline")],
)
def test_a_schema_that_is_not_this_versions(
    workplace: Workplace, revision: str, health: Health, mend: str
) -> None:
    assert of_database(workplace, "migrations").health is OK
    change(workplace, "update alembic_version set version_num = :revision", revision=revision)
    finding = of_database(workplace, "migrations")
    assert (finding.health, finding.mend) == (health, mend)
    settings = settings_of(workplace)
    with store.reach_database(settings) as database:  # the doctor has not applied anything
        assert schema_state(database.engine).current == revision


@pytest.mark.parametrize(("seconds", "health"), [(1, OK), (20, WARN), (-90, FAIL)])
def test_a_clock_that_is_wrong(workplace: Workplace, seconds: int, health: Health) -> None:
    finding = of_database(workplace, "clock", now=datetime.now(UTC) + timedelta(seconds=seconds))
    assert finding.health is health
    assert finding.mend == ("" if health is OK else "timedatectl set-ntp true")


def test_a_clock_that_was_set_back(workplace: Workplace) -> None:
    store_unit(workplace, "threads", at=datetime.now(UTC) + timedelta(hours=1))
    finding = of_database(workplace, "clock")
    assert finding.health is WARN
    assert "set back" in finding.says


# The work


def test_uploads_and_code_that_nobody_has_followed(workplace: Workplace) -> None:
    finding = of_database(workplace, "stale partitions")
    assert finding.health is WARN
    assert "6 of chunks" in finding.says
    store_unit(workplace, "verdicts", version="of last year")
    assert "1 of verdicts" in of_database(workplace, "stale partitions").says


def test_a_source_that_is_gone(workplace: Workplace) -> None:
    shutil.rmtree(workplace.captions)
    assert of_database(workplace, "source of bridges").health is FAIL


def test_a_caption_file_in_quarantine(workplace: Workplace) -> None:
    assert of_database(workplace, "quarantine").health is OK
    (workplace.captions / "paint-00001.en.srt").write_bytes(b"\x00\x01 no captions at all")
    done = CliRunner().invoke(app, ["--config", str(workplace.root / "answertrail.toml"), "ingest", "-q"])
    assert done.exit_code in (0, 1)
    finding = of_database(workplace, "quarantine")
    assert finding.health is FAIL  # one of six is above the limit of a channel
    assert "above the limit in bridges" in finding.says


def test_a_unit_that_failed(workplace: Workplace) -> None:
    assert of_database(workplace, "open units").health is OK
    store_unit(workplace, "claims", state="error", reason="timeout: the model did not answer")
    finding = of_database(workplace, "open units")
    assert (finding.health, finding.mend) == (FAIL, "answertrail run")
    assert finding.says == "1 of claims; the first: timeout: the model did not answer"


# Dagster


def test_a_dagster_storage_that_is_missing_or_empty(workplace: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    assert of_dagster(workplace, "Dagster storage").health is WARN
    with workplace.open() as project:
        prepare_instance(project)
    assert of_dagster(workplace, "Dagster storage").health is OK
    monkeypatch.setenv(
        "ANSWERTRAIL_DAGSTER_URL", workplace.urls["ANSWERTRAIL_DAGSTER_URL"].replace("_dagster", "_no")
    )
    finding = of_dagster(workplace, "Dagster storage")
    assert (finding.health, finding.mend) == (FAIL, "answertrail migrate")


def test_a_daemon_that_never_ran_that_runs_and_that_stopped(workplace: Workplace) -> None:
    with workplace.open() as project:
        prepare_instance(project)
    assert of_dagster(workplace, "daemon").health is WARN

    def beat(age: float) -> None:
        with workplace.open() as project, open_instance(project) as instance:
            for kind in instance.get_required_daemon_types():
                instance.add_daemon_heartbeat(DaemonHeartbeat(time.time() - age, kind, "one", errors=[]))

    beat(0)
    assert of_dagster(workplace, "daemon").health is OK
    beat(3600)
    finding = of_dagster(workplace, "daemon")
    assert finding.health is FAIL
    assert finding.mend.startswith("answertrail dev")


def test_workers_that_nobody_started(workplace: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWERTRAIL_CELERY_BROKER", "redis://127.0.0.1:1/0")
    assert of_dagster(workplace, "workers").health is FAIL


# The command


def test_the_command_says_with_its_exit_code_whether_something_fails(workplace: Workplace) -> None:
    with workplace.open() as project:
        prepare_instance(project)
    code, shown = doctor(workplace)
    assert code == 0  # captions wait and no daemon has run: warnings
    assert "6 of chunks" in shown
    assert "-> answertrail plan, then answertrail run" in shown
    store_unit(workplace, "claims", state="error", reason="timeout: no answer")
    code, shown = doctor(workplace, "--json")
    assert code == 1
    told = json.loads(shown)
    assert told["health"] == "fail"
    assert {each["name"] for each in told["findings"]} == {
        "configuration", "disk", "embedding model", "keys", "database", "extension", "migrations", "clock",
        "stale partitions", "quarantine", "open units", "Dagster storage", "daemon",
    }  # fmt: skip
    assert all(each["mend"] for each in told["findings"] if each["health"] != "ok")


def test_a_configuration_that_does_not_fit(workplace: Workplace) -> None:
    (workplace.root / "answertrail.toml").write_text("[budgett]\n", "utf-8")
    code, shown = doctor(workplace)
    assert code == 1
    assert "budgett" in shown
