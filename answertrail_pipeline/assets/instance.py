"""The project's own Dagster instance: its home in the data folder, its storage in the same Postgres server."""

import os
import shutil
from pathlib import Path

import dagster as dg

from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.store.shipped import shipped

URL_VARIABLE = "ANSWERTRAIL_DAGSTER_URL"


def dagster_environment(project: Project) -> dict[str, str]:
    """Return the environment in which Dagster's own programs find this project, making its home where needed."""
    home = project.settings.data_dir / "dagster"
    home.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(shipped("dagster.yaml"), home / "dagster.yaml")
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
