"""Dagster's configuration: the shipped file with what the project's settings say."""

import tomllib
from pathlib import Path

import pytest
import yaml

from answertrail_pipeline.assets.instance import dagster_environment, instance_config
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.settings import Settings, load_settings
from answertrail_pipeline.workbench.serve import make_access, start_link
from answertrail_pipeline_tests.e2e.conftest import Workplace, workplace

__all__ = ["workplace"]


def settings(folder: Path, written: str = "", **environ: str) -> Settings:
    (folder / "answertrail.toml").write_text(written, "utf-8")
    assert tomllib.loads(written) is not None
    return load_settings(folder / "answertrail.toml", environ)


def test_how_much_at_once_is_a_setting(tmp_path: Path) -> None:
    assert instance_config(settings(tmp_path))["concurrency"]["runs"]["max_concurrent_runs"] == 2
    config = instance_config(settings(tmp_path, "[dagster]\nruns_at_once = 8\nmodel_steps_at_once = 5\n"))
    assert config["concurrency"]["runs"]["max_concurrent_runs"] == 8
    assert config["concurrency"]["pools"]["default_limit"] == 5


def test_a_broker_sends_runs_to_workers_and_stands_in_no_file(tmp_path: Path) -> None:
    assert instance_config(settings(tmp_path))["run_launcher"]["class"] == "CodeServerLauncher"
    config = instance_config(settings(tmp_path, ANSWERTRAIL_CELERY_BROKER="redis://:hush@redis:6379/0"))
    assert config["run_launcher"]["class"] == "WorkerLauncher"
    assert "hush" not in yaml.safe_dump(config)


def test_what_is_kept_for_how_long_and_what_is_sent_to_nobody(tmp_path: Path) -> None:
    config = instance_config(settings(tmp_path))
    assert config["storage"]["custom"]["config"] == {"postgres_url": {"env": "ANSWERTRAIL_DAGSTER_URL"}}
    assert config["run_coordinator"]["class"] == "QueuedRunCoordinator"
    assert config["run_monitoring"]["enabled"]
    assert config["run_retries"]["enabled"]
    assert set(config["retention"]) == {"schedule", "sensor", "auto_materialize"}
    assert config["telemetry"] == config["nux"] == {"enabled": False}


def test_an_unchanged_configuration_is_not_written_again(workplace: Workplace) -> None:
    with workplace.open() as project:
        path = Path(dagster_environment(project)["DAGSTER_HOME"]) / "dagster.yaml"
        before = path.stat().st_mtime_ns
        dagster_environment(project)
        assert path.stat().st_mtime_ns == before
        path.write_text("storage: {}\n", "utf-8")
        dagster_environment(project)
    assert yaml.safe_load(path.read_text("utf-8"))["run_monitoring"]["enabled"]


def test_the_data_folder_may_be_named_by_the_environment(tmp_path: Path) -> None:
    assert settings(tmp_path, 'data_dir = "own"').data_dir == tmp_path / "own"
    assert settings(tmp_path, 'data_dir = "own"', ANSWERTRAIL_DATA_DIR="/data").data_dir == Path("/data")


def test_a_configured_token_is_long_and_never_printed(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANSWERTRAIL_WORKBENCH_TOKEN", "t" * 24)
    with workplace.open() as project:
        access = make_access(project, 3001)
    assert access.token == "t" * 24
    assert "ttt" not in start_link(access, 3001, show_token=False)
    monkeypatch.setenv("ANSWERTRAIL_WORKBENCH_TOKEN", "short")
    with workplace.open() as project, pytest.raises(UserError, match="at least 24"):
        make_access(project, 3001)
