"""The production stack without Docker: the very commands and environment of docker-compose.yml, end to end."""

import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.gold.versions import store_version
from answertrail_pipeline.pipeline.evaluation import declare_runs
from answertrail_pipeline.pipeline.project import open_project
from answertrail_pipeline_tests.e2e.graphql import free_port, idle, launch, runs, status, wait_for
from answertrail_pipeline_tests.e2e.library import SPEECH, gold_version, write_config, write_library
from answertrail_pipeline_tests.e2e.stack import COMPOSE, REPOSITORY, Stack, fill_in, postgres_service, services

pytestmark = pytest.mark.slow
TOKEN = "a-token-of-the-test-0123456789"
PASSWORD = "p@ss/word:with%signs"  # in a URL each of these signs would break it


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stack]:
    """The stack over a database with a password, nothing else of it started; this process sees the project too."""
    tmp_path.chmod(0o755)
    project, data, logs = tmp_path / "project", tmp_path / "data", tmp_path / "logs"
    for folder in (project, data, logs):
        folder.mkdir()
    write_library(project / "captions")
    write_config(project)
    ports = {name: free_port() for name in ("5432", "4266", "3000", "3001")}
    workspace = tmp_path / "workspace.yaml"
    deployed = (REPOSITORY / "examples" / "deploy" / "workspace.yaml").read_text("utf-8")
    workspace.write_text(deployed.replace("4266", str(ports["4266"])), "utf-8")
    here = {
        "@postgres:5432/": f"@127.0.0.1:{ports['5432']}/",
        "/etc/answertrail/workspace.yaml": str(workspace),
        "/project": str(project),
        "/data": str(data),
        "0.0.0.0": "127.0.0.1",
        **{number: str(port) for number, port in ports.items()},
    }
    secrets = {"PROJECT_DIR": str(project), "POSTGRES_PASSWORD": PASSWORD, "WORKBENCH_TOKEN": TOKEN}
    made = Stack(secrets, here, logs)
    wanted = fill_in(services(COMPOSE), secrets)["postgres"]["environment"]
    with postgres_service(tmp_path / "postgres", wanted, ports["5432"]):
        for name in ("DATABASE_URL", "ANSWERTRAIL_DAGSTER_URL", "PGPASSWORD", "ANSWERTRAIL_DATA_DIR"):
            monkeypatch.setenv(name, made.environment("migrate")[name])
        try:
            yield made
        finally:
            made.stop()


def finished(config: Path, stage: str) -> set[str]:
    with open_project(config) as project, project.database.begin() as connection:
        rows = connection.execute(
            text("select key from stage_run where stage = :s and state = 'done'"), {"s": stage}
        )
        return set(rows.scalars())


def test_the_stack_starts_answers_and_works(stack: Stack) -> None:
    config = Path(stack.environment("migrate")["ANSWERTRAIL_CONFIG"])
    assert stack.once("migrate") == 0
    assert stack.once("migrate") == 0  # a restart of the stack runs it again
    for name in ("code", "webserver", "daemon", "workbench"):
        stack.start(name)
    web = f"http://127.0.0.1:{stack.here['3000']}"
    workbench = f"http://127.0.0.1:{stack.here['3001']}"

    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with browser.open(web, timeout=60) as page:
        script = re.search(r'<script [^>]*src="([^"]+)"', page.read().decode())
    assert script is not None
    with browser.open(f"{web}{script[1]}", timeout=60) as page:
        assert page.status == 200
    with browser.open(f"{workbench}/?token={TOKEN}", timeout=60) as page:
        assert b"bridges" in page.read()

    # The daemon's sensor finds the captions and launches what follows, by itself.
    wait_for("claims of all uploads", lambda: len(finished(config, "claims")) == len(SPEECH))
    wait_for("the index and threads", lambda: all(finished(config, each) for each in ("term_stats", "threads")))
    wait_for("an idle daemon", lambda: idle(web))

    # A run that somebody launches through GraphQL finishes.
    with open_project(config) as project:
        with project.database.begin() as connection:
            store_version(connection, gold := gold_version("bridges"), "v1")
        run = declare_runs(project, "bridges", gold, ["single-shot"], 1)[0]
    launched = launch(web, "evaluate", run.run_key)
    wait_for("the launched run", lambda: status(web, launched) in ("SUCCESS", "FAILURE"))
    assert status(web, launched) == "SUCCESS"
    assert finished(config, "metrics") == {run.run_key}
    assert {each["status"] for each in runs(web)} == {"SUCCESS"}
    for log in stack.logs.iterdir():  # no secret is written into a log
        assert PASSWORD not in log.read_text("utf-8"), log
        assert TOKEN not in log.read_text("utf-8"), log


def test_a_killed_code_server_loses_no_run(stack: Stack) -> None:
    config = Path(stack.environment("migrate")["ANSWERTRAIL_CONFIG"])
    assert stack.once("migrate") == 0
    for name in ("code", "webserver", "daemon"):
        stack.start(name)
    web = f"http://127.0.0.1:{stack.here['3000']}"
    wait_for("a run in work", lambda: any(run["status"] == "STARTED" for run in runs(web)), pause=0.2)
    stack.kill("code")  # with the run's process, as when a container is lost
    stack.start("code")
    # The daemon notices that the run's process is gone, frees its place and starts it again.
    wait_for("the dead run's end", lambda: any(run["status"] == "FAILURE" for run in runs(web)))
    wait_for("claims of all uploads", lambda: len(finished(config, "claims")) == len(SPEECH))
    wait_for("an idle daemon", lambda: idle(web))
    again = [run for run in runs(web) if "dagster/parent_run_id" in run["tags"]]
    assert [run["status"] for run in again] == ["SUCCESS"]
