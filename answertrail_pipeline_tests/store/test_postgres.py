"""The launcher, on real servers in folders of their own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from sqlalchemy import create_engine, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.store.postgres import MAX_SOCKET_PATH, EmbeddedPostgres

ATTACH = """
import sys, time
from pathlib import Path
from answertrail_pipeline.store.postgres import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]))
server.attach()
print("attached", flush=True)
sys.stdin.readline()
server.detach()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A data folder that the unprivileged user may enter, whose server is gone afterwards."""
    for parent in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        parent.chmod(0o755)
    yield tmp_path / "postgres"
    if (pid := postmaster(tmp_path / "postgres")) is not None:
        pid.kill()


def postmaster(folder: Path) -> psutil.Process | None:
    try:
        return psutil.Process(int((folder / "postmaster.pid").read_text().split("\n", 1)[0]))
    except (FileNotFoundError, psutil.NoSuchProcess, ValueError):
        return None


def answer(server: EmbeddedPostgres, statement: str) -> object:
    engine = create_engine(server.url("postgres", "psycopg"))
    try:
        with engine.begin() as connection:
            result = connection.execute(text(statement))
            return result.scalar() if result.returns_rows else None
    finally:
        engine.dispose()


def test_the_last_user_stops_the_server(folder: Path) -> None:
    first, second = EmbeddedPostgres(folder), EmbeddedPostgres(folder)
    first.attach()
    second.attach()
    first.detach()
    assert answer(second, "select 1") == 1
    second.detach()
    assert postmaster(folder) is None


def test_a_killed_user_does_not_count(folder: Path) -> None:
    user = subprocess.Popen(
        [sys.executable, "-c", ATTACH, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert user.stdout is not None
    assert user.stdout.readline() == "attached\n"
    ours = EmbeddedPostgres(folder)
    ours.attach()
    user.kill()
    user.wait()
    assert answer(ours, "select 1") == 1
    ours.detach()
    assert postmaster(folder) is None


def test_a_killed_server_is_started_again_and_has_lost_nothing_committed(folder: Path) -> None:
    server = EmbeddedPostgres(folder)
    server.attach()
    answer(server, "create table kept as select 7 as seven")
    answer(server, "checkpoint")
    process = postmaster(folder)
    assert process is not None
    process.kill()
    time.sleep(0.1)
    again = EmbeddedPostgres(folder)
    again.attach()
    assert answer(again, "select seven from kept") == 7
    again.detach()
    server.detach()


def test_a_pid_file_of_before_a_reboot_is_not_believed(folder: Path) -> None:
    server = EmbeddedPostgres(folder)
    server.attach()
    server.detach()
    # The pid now belongs to somebody else: this very test.
    (folder / "postmaster.pid").write_text(f"{os.getpid()}\n{folder}\n")
    (server.socket_dir / ".s.PGSQL.5432.lock").write_text(f"{os.getpid()}\n")
    server.attach()
    assert answer(server, "select 1") == 1
    server.detach()


def test_a_server_whose_socket_was_removed_is_named(folder: Path) -> None:
    server = EmbeddedPostgres(folder)
    server.attach()
    (server.socket_dir / ".s.PGSQL.5432").unlink()
    process = postmaster(folder)
    assert process is not None
    with pytest.raises(UserError, match=rf"`kill {process.pid}`"):
        EmbeddedPostgres(folder).attach()
    server.detach()


def test_six_processes_start_one_server(folder: Path) -> None:
    users = [
        subprocess.Popen(
            [sys.executable, "-c", ATTACH, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    for user in users:
        assert user.stdout is not None
        assert user.stdout.readline() == "attached\n"
    for user in users:
        user.communicate("\n")
        assert user.returncode == 0
    assert postmaster(folder) is None


def test_a_path_too_long_for_a_socket_gets_a_short_folder(folder: Path) -> None:
    deep = folder.parent / ("d" * 60) / ("e" * 60) / "postgres"
    assert len(str(deep)) > MAX_SOCKET_PATH
    server = EmbeddedPostgres(deep)
    assert len(str(server.socket_dir)) < 60
    server.attach()
    assert answer(server, "select 1") == 1
    server.detach()


def test_a_folder_with_spaces_and_quotes(folder: Path) -> None:
    server = EmbeddedPostgres(folder.parent / 'it\'s a "place"' / "postgres")
    server.attach()
    assert answer(server, "select 1") == 1
    server.detach()


def test_case_folding_is_unicode_whatever_the_locale(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "C")
    server = EmbeddedPostgres(folder)
    server.attach()
    assert answer(server, "select lower('ÉCOLE')") == "école"
    assert answer(server, "show timezone") == "UTC"
    server.detach()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to give up")
def test_root_passes_through_a_closed_folder_without_opening_it(folder: Path) -> None:
    closed = folder.parent / "closed"
    closed.mkdir(mode=0o700)
    server = EmbeddedPostgres(closed / "postgres")
    server.attach()
    assert answer(server, "select 1") == 1
    process = postmaster(server.folder)
    assert process is not None
    assert process.uids().effective != 0
    assert closed.stat().st_mode & 0o777 == 0o700
    server.detach()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"Cannot keep the database in .*file.*writable"):
        EmbeddedPostgres(tmp_path / "file" / "postgres").attach()


def test_wrong_binaries_are_named(folder: Path) -> None:
    with pytest.raises(UserError, match="bin_dir"):
        EmbeddedPostgres(folder, bin_dir=folder.parent).attach()


def test_ctrl_c_is_not_for_the_server(folder: Path) -> None:
    server = EmbeddedPostgres(folder)
    server.attach()
    process = postmaster(folder)
    assert process is not None
    assert os.getpgid(process.pid) != os.getpgid(os.getpid())
    assert os.getsid(process.pid) != os.getsid(os.getpid()), signal.SIGINT
    server.detach()
