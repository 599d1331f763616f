"""Real Postgres with pgvector for every test that wants one: one server a session, an empty database a test."""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings
from sqlalchemy import URL, Connection, Engine, create_engine, make_url, text

from answertrail_pipeline.store.database import Database, make_engine
from answertrail_pipeline.store.migrate import migrate
from answertrail_pipeline.store.postgres import EmbeddedPostgres
from answertrail_pipeline_tests.models.server import ScriptedServer

settings.register_profile(
    "ci", derandomize=True
)  # a landing must not hang on a draw; elsewhere each run looks anew
if os.environ.get("CI"):
    settings.load_profile("ci")

SHARED = Path(__file__).resolve().parents[2] / "shared"
_numbers = itertools.count()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    """An embedded Postgres that lives as long as the session, with a migrated template database."""
    server = EmbeddedPostgres(tmp_path_factory.mktemp("pg") / "postgres")
    server.folder.parent.chmod(0o755)
    server.attach()
    with _admin(server) as connection:
        connection.execute(text("alter system set fsync = off"))  # nothing in it outlives the session
        connection.execute(text("select pg_reload_conf()"))
        connection.execute(text("create database template_answertrail"))
    engine = make_engine(server.url("template_answertrail", "psycopg"))
    migrate(engine)
    engine.dispose()
    yield server
    server.detach()


@pytest.fixture(scope="session")
def kept_databases(server: EmbeddedPostgres) -> Iterator[tuple[URL, URL]]:
    """Two databases that tests use one after the other: emptying one is quicker than making one."""
    with new_database(server) as one, new_database(server) as two:
        yield one.engine.url, two.engine.url


@pytest.fixture
def database(kept_databases: tuple[URL, URL]) -> Iterator[Database]:
    """An empty database with the newest schema, and none for Dagster beside it."""
    with _kept(kept_databases[0]) as kept:
        yield kept


@pytest.fixture
def second_database(kept_databases: tuple[URL, URL]) -> Iterator[Database]:
    """Another one, to compare with."""
    with _kept(kept_databases[1]) as kept:
        yield kept


@contextmanager
def new_database(server: EmbeddedPostgres, *, dagster: bool = False) -> Iterator[Database]:
    """Make a database with the newest schema, on request one for Dagster beside it; drop both in the end."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    beside = f"{name}_dagster"
    with _admin(server) as connection:
        connection.execute(text(f'create database "{name}" template template_answertrail'))
        if dagster:
            connection.execute(text(f'create database "{beside}"'))
    engine = make_engine(server.url(name, "psycopg"))
    yield Database(engine, server.url(beside, "psycopg2"))
    engine.dispose()
    with _admin(server) as connection:
        connection.execute(text(f'drop database "{name}" with (force)'))
        connection.execute(text(f'drop database if exists "{beside}" with (force)'))


@contextmanager
def _kept(url: URL) -> Iterator[Database]:
    engine = make_engine(url)
    yield Database(engine, url.set(drivername="postgresql+psycopg2", database=f"{url.database}_dagster"))
    engine.dispose()
    _empty(engine)
    engine.dispose()


def cut_others(connection: Connection) -> None:
    """End every other connection to this database."""
    connection.execute(
        text(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )
    )


def _empty(engine: Engine) -> None:
    """Take every row out of a database, and end whoever still works in it."""
    with engine.begin() as connection:
        cut_others(connection)
        names = connection.execute(
            text("select tablename from pg_tables where schemaname = 'public' and tablename <> 'alembic_version'")
        ).scalars()
        one_each = (f"select '{name}' where exists (select from \"{name}\")" for name in names)
        filled = connection.execute(text(" union all ".join(one_each))).scalars().all()
        if filled:
            tables = ", ".join(f'"{name}"' for name in filled)
            connection.execute(text(f"truncate {tables} restart identity cascade"))


@pytest.fixture
def scripted_server() -> Iterator[ScriptedServer]:
    """An OpenAI-compatible server on loopback that answers as the test says."""
    with ScriptedServer() as scripted:
        yield scripted


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data, other people's text; absent on most machines."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the real data of ../shared/data is not on this machine")
    return SHARED / "data"


def _admin(server: EmbeddedPostgres) -> Connection:
    url = make_url(server.url("postgres", "psycopg"))
    return create_engine(url, isolation_level="AUTOCOMMIT").connect()
