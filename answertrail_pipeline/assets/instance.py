"""The project's own Dagster instance: its home in the data folder, its storage in the same Postgres server."""

import os
from pathlib import Path
from typing import Any

import dagster as dg
import yaml
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.shipped import shipped

URL_VARIABLE = "ANSWERTRAIL_DAGSTER_URL"
BROKER_VARIABLE = "ANSWERTRAIL_CELERY_BROKER"


def dagster_environment(project: Project) -> dict[str, str]:
    """Return the environment in which Dagster's own programs find this project, making its home where needed."""
    home = project.settings.data_dir / "dagster"
    home.mkdir(parents=True, exist_ok=True)
    _write_config(home / "dagster.yaml", project.settings)
    return {
        "DAGSTER_HOME": str(home),
        URL_VARIABLE: project.database.dagster_url.render_as_string(hide_password=False),
        "ANSWERTRAIL_CONFIG": str(project.settings.config),
        "DAGSTER_DISABLE_TELEMETRY": "1",
    }


def open_instance(project: Project) -> dg.DagsterInstance:
    """Open the instance; the caller closes it (it is a context manager)."""
    environment = dagster_environment(project)
    os.environ[URL_VARIABLE] = environment[URL_VARIABLE]  # dagster.yaml reads the URL from there
    return dg.DagsterInstance.from_config(str(Path(environment["DAGSTER_HOME"])))


def prepare_instance(project: Project) -> None:
    """Make Dagster's database where it is missing, and bring its schema up to date.

    Raises:
        UserError: the database is missing and our user must not make one.
    """
    _create_database(project)
    with open_instance(project) as instance:
        instance.upgrade()


def _create_database(project: Project) -> None:
    name = project.database.dagster_url.database
    engine = project.database.engine.execution_options(isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            there = text("select 1 from pg_database where datname = :name")
            if not connection.execute(there, {"name": name}).scalar():
                connection.execute(text(f'create database "{name}"'))
    except ProgrammingError as error:
        raise UserError(
            f"Dagster's database `{name}` does not exist and cannot be made: {error.orig}",
            f"Let an administrator run: create database {name};",
        ) from error


def instance_config(settings: Settings) -> dict[str, Any]:
    """Return the shipped `dagster.yaml` with what the settings say: how much at once, and where."""
    config: dict[str, Any] = yaml.safe_load(shipped("dagster.yaml").read_text("utf-8"))
    config["concurrency"]["runs"]["max_concurrent_runs"] = settings.dagster.runs_at_once
    config["concurrency"]["pools"]["default_limit"] = settings.dagster.model_steps_at_once
    if settings.celery_broker:
        broker = {"env": BROKER_VARIABLE}  # it may hold a password
        config["run_launcher"] = {
            "module": "answertrail_pipeline.assets.worker_launcher",
            "class": "WorkerLauncher",
            "config": {"broker": broker, "backend": broker},
        }
    return config


def _write_config(path: Path, settings: Settings) -> None:
    """Replace the file in one step: a daemon may be reading it, and several commands may write it."""
    text = "# Made from answertrail.toml; changes here are overwritten.\n"
    text += yaml.safe_dump(instance_config(settings), sort_keys=False)
    if path.is_file() and path.read_text("utf-8") == text:
        return
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)
