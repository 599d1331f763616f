"""`docker-compose.yml` without an engine: its services as local processes, with the very commands and environment.

What an engine would do is done here: variables are filled in, the image's environment (Dockerfile) lies under the
service's, volumes become folders, host names and ports become those of this machine.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from answertrail_pipeline.store.postgres import packaged_bin_dir
from answertrail_pipeline.store.unprivileged import give_away, unprivileged_prefix

REPOSITORY = Path(__file__).resolve().parents[2]
COMPOSE = REPOSITORY / "docker-compose.yml"
CELERY = REPOSITORY / "examples" / "celery" / "docker-compose.yml"
PATIENCE = 240


def fill_in(value: Any, variables: Mapping[str, str]) -> Any:
    """Return a part of a compose file with `${NAME}`, `${NAME:-default}` and `${NAME:?message}` filled in."""
    if isinstance(value, dict):
        return {key: fill_in(each, variables) for key, each in value.items()}
    if isinstance(value, list):
        return [fill_in(each, variables) for each in value]
    if not isinstance(value, str):
        return value

    def one(found: re.Match[str]) -> str:
        given = variables.get(found["name"], "")
        if not given and found["how"] == ":?":
            raise ValueError(found["rest"])
        return given or (found["rest"] if found["how"] == ":-" else "") or ""

    filled = re.sub(r"\$\{(?P<name>\w+)(?:(?P<how>:[?-])(?P<rest>[^}]*))?\}", one, value)
    return filled.replace("$$", "$")


def services(*files: Path) -> dict[str, Any]:
    """Return the services of some compose files as they stand, later files lying over earlier ones."""
    merged: dict[str, Any] = {}
    for file in files:
        for name, service in yaml.safe_load(file.read_text("utf-8"))["services"].items():
            under = merged.get(name, {})
            both = {
                k: {**under[k], **service[k]} for k in ("environment", "depends_on") if k in under and k in service
            }
            merged[name] = under | service | both
    return merged


def image_environment() -> dict[str, str]:
    """Return what the Dockerfile sets, but for PATH."""
    text = (REPOSITORY / "Dockerfile").read_text("utf-8").rpartition("\nENV ")[2]
    pairs = text.partition("\nUSER ")[0].replace("\\\n", " ").split()
    return {name: value for name, _, value in (pair.partition("=") for pair in pairs) if name != "PATH"}


class Stack:
    """Services of the compose file as processes of this machine.

    Args:
        variables: what an operator has in `.env`.
        here: what stands in the file -> what it is here: folders, addresses, ports.
    """

    def __init__(self, variables: Mapping[str, str], here: Mapping[str, str], logs: Path) -> None:
        self.services = fill_in(services(COMPOSE), variables)
        self.here = here
        self.logs = logs
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def environment(self, name: str) -> dict[str, str]:
        """Return the environment of a service: the image's, then its own."""
        own = {key: str(value) for key, value in self.services[name]["environment"].items() if value is not None}
        made = {key: self._here(value) for key, value in (image_environment() | own).items()}
        if "ANSWERTRAIL_CODE_HOST" in own:
            made["ANSWERTRAIL_CODE_HOST"] = "127.0.0.1"
        base = {key: os.environ[key] for key in ("HOME", "LANG", "TMPDIR") if key in os.environ}
        return base | made | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}

    def command(self, name: str) -> list[str]:
        """Return what a container of the service would execute."""
        service = self.services[name]
        entrypoint = service.get("entrypoint", ["answertrail"])  # the Dockerfile's
        return [self._here(part) for part in [*entrypoint, *service.get("command", [])]]

    def once(self, name: str) -> int:
        """Run a one-shot service to its end."""
        with (self.logs / f"{name}.log").open("ab") as log:
            done = subprocess.run(
                self.command(name),
                env=self.environment(name),
                stdout=log,
                stderr=log,
                timeout=PATIENCE,
                check=False,
            )
        return done.returncode

    def start(self, name: str) -> None:
        """Start a service and wait until its own health check passes."""
        with (self.logs / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                self.command(name), env=self.environment(name), stdout=log, stderr=log, start_new_session=True
            )
        test = [self._here(part) for part in self.services[name]["healthcheck"]["test"][1:]]
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self._running[name].poll() is None:
            checked = subprocess.run(
                test, env=self.environment(name), capture_output=True, timeout=PATIENCE, check=False
            )
            if checked.returncode == 0:
                return
            time.sleep(1)
        pytest.fail(f"{name} does not become healthy: {(self.logs / f'{name}.log').read_text('utf-8')[-3000:]}")

    def kill(self, name: str) -> None:
        """kill -9 a service and all that it started."""
        process = self._running.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        """Stop all, the last started first, as `docker compose down` does."""
        for process in reversed(list(self._running.values())):
            if process.poll() is None:
                process.terminate()
        for process in self._running.values():
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _here(self, text: str) -> str:
        for there, here in self.here.items():
            text = text.replace(there, here)
        return text


@contextmanager
def postgres_service(folder: Path, environment: Mapping[str, str], port: int) -> Iterator[None]:
    """Run what the image of `postgres` makes of its environment: one user, one database, a password."""
    binaries = packaged_bin_dir()
    folder.mkdir(parents=True)
    give_away(folder)
    words = folder.with_name("password")
    words.write_text(environment["POSTGRES_PASSWORD"], "utf-8")
    words.chmod(0o644)
    prefix = unprivileged_prefix(folder, binaries)

    def run(program: str, *arguments: str) -> None:
        command = [*prefix, str(binaries / program), "-D", str(folder), *arguments]
        subprocess.run(command, check=True, env={"LC_ALL": "C"}, stdout=subprocess.DEVNULL, timeout=60, cwd="/")

    run("initdb", "-U", environment["POSTGRES_USER"], "--auth=scram-sha-256", f"--pwfile={words}",
        "--encoding=UTF8", "--locale=C", "--no-sync")  # fmt: skip
    run("pg_ctl", "-w", "-l", str(folder / "server.log"), "start",
        "-o", f"-c listen_addresses=127.0.0.1 -p {port} -k '' -c max_connections=200")  # fmt: skip
    try:
        with psycopg.connect(host="127.0.0.1", port=port, user=environment["POSTGRES_USER"], dbname="postgres",
                             password=environment["POSTGRES_PASSWORD"], autocommit=True) as admin:  # fmt: skip
            admin.execute(f'create database "{environment["POSTGRES_DB"]}"')  # type: ignore[call-overload]
        yield
    finally:
        run("pg_ctl", "-m", "immediate", "stop")
