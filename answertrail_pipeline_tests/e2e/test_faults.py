"""Faults at random moments of a pass: at the end the rows and scoreboard of an undisturbed one, nothing left.

Each fault strikes while the judge is being asked, at a moment drawn with a fixed seed, several times in a row.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import create_engine, text

from answertrail_pipeline_tests.e2e.faults import AT_ONCE, Study, calls_repeated, embedded, judge, wait_until
from answertrail_pipeline_tests.models.server import PLANTED_KEY, ScriptedServer

pytestmark = pytest.mark.slow
SEED = 20261130
TIMES = 3


class Undisturbed(NamedTuple):
    rows: dict[str, list[str]]
    scoreboard: str
    spent: Decimal


@pytest.fixture(scope="module", autouse=True)
def own_database() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DATABASE_URL", "ANSWERTRAIL_DAGSTER_URL", "ANSWERTRAIL_CONFIG"):
            patch.delenv(name, raising=False)
        patch.setenv("OPENAI_API_KEY", PLANTED_KEY)
        yield


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        scripted.rule = judge
        yield scripted


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, server: ScriptedServer) -> Undisturbed:
    folder = tmp_path_factory.mktemp("undisturbed")
    folder.chmod(0o755)
    study = Study(folder / "study", server)
    study.finish("run", "-q")
    assert calls_repeated(server) == 0
    study.assert_nothing_is_left()
    spent, lost = study.spent()
    assert (spent > 0, lost) == (True, 0)
    return Undisturbed(study.rows(), study.scoreboard(), spent)


@pytest.fixture
def study(tmp_path: Path, server: ScriptedServer, undisturbed: Undisturbed) -> Study:
    server.calls.clear()
    tmp_path.chmod(0o755)
    return Study(tmp_path / "study", server)


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(f"{SEED} {request.node.name}")


def strike_moment(study: Study, process: subprocess.Popen[str], chance: random.Random) -> bool:
    """Wait until the judge has been asked a few times more; return False if the pass ended before."""
    asked = len(study.server.calls) + chance.randint(1, 12)
    struck = wait_until(lambda: len(study.server.calls) >= asked, process)
    time.sleep(chance.uniform(0, 0.3))
    return struck and process.poll() is None


def assert_undisturbed(study: Study, undisturbed: Undisturbed, repeated: int) -> None:
    study.finish("run", "-q")
    rows = study.rows()
    for table, expected in undisturbed.rows.items():
        assert rows[table] == expected, table
    assert study.scoreboard() == undisturbed.scoreboard
    assert calls_repeated(study.server) <= repeated
    spent, lost = study.spent()
    assert spent - lost == undisturbed.spent  # a call that was cut short may be billed, and is counted as if
    assert "nothing to do" in study.finish("run")
    study.assert_nothing_is_left()


def test_the_run_is_killed(study: Study, undisturbed: Undisturbed, chance: random.Random) -> None:
    struck = 0
    for _ in range(TIMES):
        process = study.start("run", "-q")
        if strike_moment(study, process, chance):
            os.killpg(process.pid, signal.SIGKILL)
            struck += 1
        process.communicate(timeout=300)
    assert struck
    assert_undisturbed(study, undisturbed, repeated=struck * AT_ONCE)


def test_postgres_is_killed(study: Study, undisturbed: Undisturbed, chance: random.Random) -> None:
    struck = 0
    for _ in range(TIMES):
        process = study.start("run", "-q")
        if strike_moment(study, process, chance):
            os.kill(study.postmaster() or 0, signal.SIGKILL)
            struck += 1
        _, complained = process.communicate(timeout=300)
        if process.returncode:
            assert process.returncode == 2
            assert "The database was lost" in complained
            assert "Traceback" not in complained
    assert struck
    assert_undisturbed(study, undisturbed, repeated=struck * AT_ONCE)


def test_connections_are_cut(study: Study, undisturbed: Undisturbed, chance: random.Random) -> None:
    cut = text("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'answertrail'")
    struck = 0
    for _ in range(TIMES):
        process = study.start("run", "-q")
        if strike_moment(study, process, chance):
            engine = create_engine(embedded(study).url("postgres", "psycopg"))
            with engine.begin() as connection:
                connection.execute(cut)
            engine.dispose()
            struck += 1
        _, complained = process.communicate(timeout=300)
        if process.returncode:
            assert "The database was lost" in complained
            assert "Traceback" not in complained
    assert struck
    assert_undisturbed(study, undisturbed, repeated=struck * AT_ONCE)


def test_the_daemon_is_killed(study: Study, undisturbed: Undisturbed, chance: random.Random) -> None:
    import psutil

    for _ in range(2):
        dev = study.start("dev", "--port", "0", "--workbench-port", "0")
        try:
            daemon: list[psutil.Process] = []

            def find(found: list[psutil.Process] = daemon, parent: int = dev.pid) -> bool:
                found[:] = [child for child in psutil.Process(parent).children(recursive=True)
                            if any(word.endswith("dagster-daemon") for word in child.cmdline())]  # fmt: skip
                return bool(found)

            assert wait_until(find, dev)
            time.sleep(chance.uniform(5, 60))
            daemon[0].kill()
            _, complained = dev.communicate(timeout=120)
            assert "dagster-daemon ended with code -9" in complained
        finally:
            if dev.poll() is None:
                os.killpg(dev.pid, signal.SIGKILL)
    assert_undisturbed(study, undisturbed, repeated=0)


def test_the_clock_is_set_back(study: Study, undisturbed: Undisturbed, chance: random.Random) -> None:
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    if library is None:
        pytest.skip("libfaketime is not on this machine (Debian: apt-get install faketime)")
    process = study.start("run", "-q")
    assert strike_moment(study, process, chance)
    os.killpg(process.pid, signal.SIGKILL)  # it leaves leases of calls behind, which then lie two hours ahead
    process.communicate(timeout=60)
    server = embedded(study)
    server.attach()
    server.detach()  # ends the server that the killed pass left
    two_hours_back = ("env", f"LD_PRELOAD={library}", "FAKETIME=-2h", "FAKETIME_DONT_FAKE_MONOTONIC=1")
    from answertrail_pipeline.store.unprivileged import unprivileged_prefix

    starts = [
        *unprivileged_prefix(server.folder, server.bin_dir),
        *two_hours_back,
        str(server.bin_dir / "pg_ctl"),
    ]
    server._write_settings()
    subprocess.run([*starts, "-D", str(server.folder), "-w", "-l", str(server.folder / "server.log"), "start"],
                   check=True, cwd="/", stdout=subprocess.DEVNULL, timeout=120)  # fmt: skip
    study.finish("run", "-q", under=two_hours_back)
    assert_undisturbed(study, undisturbed, repeated=AT_ONCE)


def test_two_operators_start_the_same_job(study: Study, undisturbed: Undisturbed, chance: random.Random) -> None:
    first = study.start("run", "-q")
    time.sleep(chance.uniform(0, 3))
    second = study.start("run", "-q")
    for process in (first, second):
        _, complained = process.communicate(timeout=600)
        assert process.returncode == 0, complained[-3000:]
    assert_undisturbed(study, undisturbed, repeated=0)


FULL_DISK = r"""
set -eu
cp -a "$DATA" "$DATA.kept"
mount -t tmpfs -o size=400m,mode=755 tmpfs "$DATA"
cp -a "$DATA.kept/." "$DATA"
answertrail() { "$PYTHON" -m answertrail_pipeline.cli --config "$CONFIG" "$@"; }
answertrail ingest -q
free=$(df --output=avail -k "$DATA" | tail -1)
head -c $(( (free - 400) * 1024 )) /dev/zero > "$DATA/filler"
answertrail doctor > "$OUT/doctor" || echo $? > "$OUT/doctor.code"
answertrail run -q 2> "$OUT/complained" && echo 0 > "$OUT/code" || echo $? > "$OUT/code"
rm "$DATA/filler"
answertrail run -q
rm -rf "$DATA.kept"; mkdir "$DATA.kept"; cp -a "$DATA/." "$DATA.kept"
"""


def test_the_disk_is_full(study: Study, undisturbed: Undisturbed, tmp_path: Path) -> None:
    data, out = study.root / ".answertrail", tmp_path / "out"
    out.mkdir()
    if subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", str(out)], check=False).returncode:
        pytest.skip("this machine lets us mount no file system of our own (unshare -m)")
    names = {"DATA": data, "OUT": out, "PYTHON": sys.executable, "CONFIG": study.config}
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", FULL_DISK],
        env=os.environ | {name: str(value) for name, value in names.items()},
        capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    complained = (out / "complained").read_text("utf-8")
    assert (out / "code").read_text("utf-8").strip() == "2", complained
    assert "No space left on device" in complained or "The database was lost" in complained
    assert "Traceback" not in complained
    assert (out / "doctor.code").read_text("utf-8").strip() == "1"
    assert "GiB free" in (out / "doctor").read_text("utf-8")
    shutil.rmtree(data)
    Path(f"{data}.kept").rename(data)
    assert_undisturbed(study, undisturbed, repeated=AT_ONCE)
