"""`answertrail migrate`, `worker`: what the production stack starts besides Dagster's own programs."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.terminal import out
from answertrail_pipeline.errors import UserError


@app.command()
def migrate() -> None:
    """Bring our schema and Dagster's up to date and write Dagster's configuration; run it before all else."""
    from answertrail_pipeline.assets.instance import prepare_instance
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        prepare_instance(project)
        where = project.database.engine.url.render_as_string(hide_password=True)
    out.print(f"The schemas of AnswerTrail and Dagster are up to date: {where}")


@app.command()
def worker(
    slots: Annotated[int, typer.Option(min=1, help="Runs that this worker executes at once.")] = 2,
) -> None:
    """Execute Dagster's runs as a Celery worker, until it is stopped; start as many as you like, anywhere."""
    from answertrail_pipeline.assets.instance import BROKER_VARIABLE, dagster_environment
    from answertrail_pipeline.pipeline.project import open_project

    program = Path(sys.executable).parent / "celery"
    if not program.exists():
        raise UserError(
            "Celery is not installed.", "Install the extra: `pip install 'answertrail-pipeline[celery]'`."
        )
    with open_project() as project:
        if not project.settings.celery_broker:
            raise UserError(
                f"{BROKER_VARIABLE} is not set, so there is nowhere to take runs from.",
                f"Set it to the Redis that all share: {BROKER_VARIABLE}=redis://HOST:6379/0.",
            )
        if not project.settings.database_url:
            raise UserError(
                "A worker needs the database that all share, and DATABASE_URL is not set.",
                "Set DATABASE_URL to a Postgres server that every machine reaches.",
            )
        environment = os.environ | dagster_environment(project)
    os.execve(  # noqa: S606  # the signals that stop us are Celery's to handle
        program,
        [str(program), "--app", "answertrail_pipeline.assets.celery_app", "worker", "--concurrency", str(slots),
         "--queues", "dagster", "--hostname", f"answertrail-{os.getpid()}@%h", "--loglevel", "WARNING"],
        environment,
    )  # fmt: skip
