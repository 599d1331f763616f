"""Real Postgres with pgvector for every test that wants one: one server a session, one database a test."""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings
from sqlalchemy import Connection, create_engine, make_url, text

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
        connection.execute(text("create database template_answertrail"))
    engine = make_engine(server.url("template_answertrail", "psycopg"))
    migrate(engine)
    engine.dispose()
    yield server
    server.detach()


@pytest.fixture
def database(server: EmbeddedPostgres) -> Iterator[Database]:
    """An empty database with the newest schema, and an empty one for Dagster beside it."""
    with new_database(server) as made:
        yield made


@pytest.fixture
def second_database(server: EmbeddedPostgres) -> Iterator[Database]:
    """Another one, to compare with."""
    with new_database(server) as made:
        yield made


@contextmanager
def new_database(server: EmbeddedPostgres) -> Iterator[Database]:
    name = f"test_{os.getpid()}_{next(_numbers)}"
    with _admin(server) as connection:
        connection.execute(text(f'create database "{name}" template template_answertrail'))
        connection.execute(text(f'create database "{name}_dagster"'))
    engine = make_engine(server.url(name, "psycopg"))
    yield Database(engine, server.url(f"{name}_dagster", "psycopg2"))
    engine.dispose()
    with _admin(server) as connection:
        connection.execute(text(f'drop database "{name}" with (force)'))
        connection.execute(text(f'drop database "{name}_dagster" with (force)'))


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
