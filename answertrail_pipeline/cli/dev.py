"""`answertrail dev`: the database, the Dagster UI and its daemon, and the workbench, until Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.terminal import out
from answertrail_pipeline.errors import UserError

STOP_SECONDS = 20


@app.command()
def dev(
    port: Annotated[int, typer.Option(help="Port of the Dagster UI on 127.0.0.1.")] = 3000,
    workbench_port: Annotated[int, typer.Option(help="Port of the workbench on 127.0.0.1.")] = 3001,
) -> None:
    """Start the database, the Dagster UI and its daemon, and the workbench; Ctrl-C stops all."""
    from answertrail_pipeline.assets.instance import dagster_environment
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.store.shipped import shipped

    signal.signal(signal.SIGTERM, _stop)
    with open_project() as project:
        environment = os.environ | dagster_environment(project)
        workspace = str(shipped("workspace.yaml"))
        programs = [
            _start("dagster-webserver", "-w", workspace, "-h", "127.0.0.1", "-p", str(port), env=environment),
            _start("dagster-daemon", "run", "-w", workspace, env=environment),
            _start("answertrail", "workbench", "--port", str(workbench_port), env=environment),
        ]
        out.print(f"Dagster UI   http://127.0.0.1:{port}/asset-groups  (ready in about 10 seconds)")
        database = project.database.engine.url.render_as_string(hide_password=True)
        out.print(f"Database     {database}", soft_wrap=True)
        try:
            _wait_for_first_end(programs)
        finally:
            _stop_all(programs)


def _start(program: str, *arguments: str, env: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start a program of this Python's environment in a group of its own, so that it is stopped in our order."""
    path = Path(sys.executable).parent / program
    if not path.exists():
        raise UserError(f"{path} is not installed.", "Install answertrail-pipeline with its dependencies.")
    return subprocess.Popen([str(path), *arguments], env=env, start_new_session=True)


def _wait_for_first_end(programs: list[subprocess.Popen[bytes]]) -> None:
    while True:
        for program in programs:
            if program.poll() is not None:
                name = Path(str(program.args[0])).name  # type: ignore[index]
                raise UserError(f"{name} ended with code {program.returncode}.", "See its messages above.")
        time.sleep(0.5)


def _stop_all(programs: list[subprocess.Popen[bytes]]) -> None:
    for program in reversed(programs):
        if program.poll() is None:
            os.killpg(program.pid, signal.SIGINT)
    deadline = time.monotonic() + STOP_SECONDS
    for program in programs:
        try:
            program.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)


def _stop(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt
