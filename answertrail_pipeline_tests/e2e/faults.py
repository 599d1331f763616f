"""A project on its own embedded Postgres with a scripted judge, to be disturbed: what it left, what it paid."""

import fcntl
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import psutil
from sqlalchemy import text

from answertrail_pipeline.gold.versions import store_version
from answertrail_pipeline.pipeline.project import open_project
from answertrail_pipeline.store.postgres import EmbeddedPostgres
from answertrail_pipeline_tests.e2e.library import gold_version, write_config, write_library
from answertrail_pipeline_tests.e2e.rows import all_rows
from answertrail_pipeline_tests.models.server import Call, Reply, ScriptedServer

AT_ONCE = 4
PATIENCE = 600


def judge(call: Call) -> Reply:
    """A judge whose word depends on what it is asked alone."""
    hit = len(call.last_user) % 3 != 0
    judged = {"label": "HIT" if hit else "MISS", "reason": "By length.", "detail": None if hit else "not_found"}
    return Reply(judged, usage=(200, 20), seconds=0.15)


class Study:
    """A project folder with captions, frozen gold and two arms; its judge is the scripted server.

    Args:
        environment: what its commands find besides the test's environment.
    """

    def __init__(self, root: Path, server: ScriptedServer, environment: dict[str, str] | None = None) -> None:
        self.root = root
        self.server = server
        self.config = root / "answertrail.toml"
        self.environment = environment or {}
        root.mkdir(mode=0o755)
        write_library(root / "captions")
        write_config(
            root,
            '[models.prices."openai/scripted"]\ninput_per_million = 10\noutput_per_million = 20\n'
            f"[models]\nmax_concurrency = {AT_ONCE}\n"
            f'judge = {{model = "openai/scripted", api_base = "{server.url}", timeout_seconds = 30}}\n'
            "[budget]\nrun_usd = 50\n",
        )
        with open_project(self.config) as project, project.database.begin() as connection:
            store_version(connection, gold_version("bridges"), "v1")

    def start(self, *arguments: str, under: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        """Start a command of ours in the background, in a group of its own."""
        return subprocess.Popen(
            [*under, sys.executable, "-m", "answertrail_pipeline.cli", "--config", str(self.config), *arguments],
            env=os.environ | self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip

    def finish(self, *arguments: str, under: tuple[str, ...] = ()) -> str:
        """Run a command of ours to its good end; return what it printed."""
        process = self.start(*arguments, under=under)
        printed, complained = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, complained[-3000:]
        return printed

    def rows(self) -> dict[str, list[str]]:
        """Return all rows but for ids, times, and what calls that were cut short may have cost (see `spent`)."""
        with open_project(self.config) as project, project.database.begin() as connection:
            rows = all_rows(connection)
        del rows["budgets"]
        calls = [json.loads(row) for row in rows["model_calls"]]
        rows["model_calls"] = sorted(json.dumps(call | {"lost_usd": 0}, sort_keys=True) for call in calls)
        return rows

    def spent(self) -> tuple[Decimal, Decimal]:
        """Return the dollars that the runs' budgets say are spent, and those among them of calls cut short."""
        with open_project(self.config) as project, project.database.begin() as connection:
            spent = connection.execute(
                text("select sum(spent_usd) from budgets where budget like 'run %'")
            ).scalar()
            lost = connection.execute(text("select coalesce(sum(lost_usd), 0) from model_calls")).scalar()
        return Decimal(spent or 0), Decimal(lost or 0)

    def scoreboard(self) -> str:
        """Return the scoreboard's bytes."""
        return self.finish("score", "--json")

    def postmaster(self) -> int | None:
        """Return the process id of the project's Postgres, if it runs."""
        try:
            pid = int((self.root / ".answertrail" / "postgres" / "postmaster.pid").read_text().split("\n", 1)[0])
        except FileNotFoundError:
            return None
        return pid if psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE else None

    def assert_nothing_is_left(self) -> None:
        """No Postgres of this project, no process of ours, no lock of a file, no call in flight."""
        deadline = time.monotonic() + 30
        while (left := self._processes()) and time.monotonic() < deadline:
            time.sleep(0.2)
        assert left == []
        for name in ("postgres.lock", "postgres.users"):
            with (self.root / ".answertrail" / name).open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with open_project(self.config) as project, project.database.begin() as connection:
            flying = connection.execute(
                text("select count(*) from model_calls where state = 'in_flight'")
            ).scalar()
            locks = connection.execute(text("select count(*) from pg_locks where locktype = 'advisory'")).scalar()
            reserved = connection.execute(text("select coalesce(sum(reserved_usd), 0) from budgets")).scalar()
        assert (flying, locks, reserved) == (0, 0, 0)

    def _processes(self) -> list[str]:
        found = []
        for process in psutil.process_iter(["cmdline", "cwd", "name", "status"]):
            words = " ".join(process.info["cmdline"] or ())
            at_home = str(process.info["cwd"] or "").startswith(f"{self.root}/")
            ours = str(self.root) in words or at_home
            if ours and process.pid != os.getpid() and process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(f"{process.pid} {words}")
        return found


def calls_repeated(server: ScriptedServer) -> int:
    """Return how many calls came more often than once."""
    counted = Counter(json.dumps(call.body, sort_keys=True) for call in server.calls)
    return sum(counted.values()) - len(counted)


def wait_until(true: Callable[[], bool], process: subprocess.Popen[str], seconds: float = 120) -> bool:
    """Wait until something is true or the process has ended; return whether it became true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        if true():
            return True
        time.sleep(0.02)
    return true()


def embedded(study: Study) -> EmbeddedPostgres:
    """Return the project's server, not attached to."""
    return EmbeddedPostgres(study.root / ".answertrail" / "postgres")
