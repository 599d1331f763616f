"""Connections to the project's Postgres: a server named by `DATABASE_URL`, or the embedded one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import URL, Connection, Engine, create_engine, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.postgres import EmbeddedPostgres

DATABASE = "answertrail"
DAGSTER_DATABASE = "dagster"
SERVER_TROUBLE = ("08", "53", "57", "58")
"""Classes of SQLSTATE: no connection, no room, an administrator's hand, the system under the server."""
MIN_PGVECTOR = (0, 7)  # the first with halfvec


class DatabaseLostError(UserError):
    """The server went away, has no room, or cut the connection; what was committed is kept."""

    def __init__(self, words: str) -> None:
        super().__init__(
            f"The database was lost: {' '.join(words.split())}",
            "What was finished is kept. See with `answertrail doctor` that it runs and has room; then go on.",
        )


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that commits at the end of the block, or rolls back on an error.

    Raises:
        DatabaseLostError: the server went away or cannot go on.
    """
    try:
        with engine.begin() as connection:
            yield connection
    except DBAPIError as error:
        if is_lost(error):
            raise DatabaseLostError(str(error.orig)) from error
        raise


def is_lost(error: DBAPIError) -> bool:
    """Whether an error of any driver says that the server is gone or cannot go on, and not that we are wrong."""
    state = getattr(error.orig, "sqlstate", None) or getattr(error.orig, "pgcode", None)
    if state is None:
        return error.connection_invalidated or isinstance(error, OperationalError)
    return error.connection_invalidated or state[:2] in SERVER_TROUBLE


@dataclass(frozen=True)
class Database:
    """The engine of our database, and where Dagster keeps its own."""

    engine: Engine
    dagster_url: URL

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """Open a transaction that commits at the end of the block, or rolls back on an error."""
        with transaction(self.engine) as connection:
            yield connection


@contextmanager
def open_database(settings: Settings) -> Iterator[Database]:
    """Connect to the database, starting the embedded server where needed, with the newest schema applied.

    Raises:
        UserError: the server cannot be reached, lacks pgvector, or has a schema newer than this program.
    """
    from answertrail_pipeline.store.migrate import migrate

    with reach_database(settings) as database:
        require_pgvector(database.engine)
        migrate(database.engine)
        yield database


@contextmanager
def reach_database(settings: Settings) -> Iterator[Database]:
    """Connect to the database as it is, starting the embedded server where needed.

    Raises:
        UserError: the server cannot be reached.
    """
    server = None
    if settings.database_url:
        url, dagster_url = _external_urls(settings.database_url, settings.dagster_url)
    else:
        server = EmbeddedPostgres(settings.data_dir / "postgres", settings.database.bin_dir)
        server.attach()
        url, dagster_url = server.url(DATABASE, "psycopg"), server.url(DAGSTER_DATABASE, "psycopg2")
    try:
        if server:
            _create_databases(server)
        engine = make_engine(url)
        try:
            _require_answer(engine)
            yield Database(engine, dagster_url)
        finally:
            engine.dispose()
    finally:
        if server:
            server.detach()


def make_engine(url: URL) -> Engine:
    """Return an engine whose statements are planned anew each time.

    psycopg prepares a statement from its sixth execution on and Postgres may then switch to a generic plan;
    a search must not depend on how often it was asked (docs/retrieval.md).
    """
    return create_engine(
        url,
        connect_args={"prepare_threshold": None, "options": "-c timezone=UTC"},
        pool_size=10,
        max_overflow=20,
    )


def _external_urls(given: str, dagster: str | None) -> tuple[URL, URL]:
    try:
        url = make_url(given)
        dagster_url = make_url(dagster) if dagster else url.set(database=DAGSTER_DATABASE)
    except ArgumentError as error:
        raise UserError(
            "DATABASE_URL or ANSWERTRAIL_DAGSTER_URL is no database URL.",
            "Write postgresql://user:password@host:5432/answertrail.",
        ) from error
    if not url.drivername.startswith("postgresql"):
        raise UserError(
            f"DATABASE_URL names {url.drivername}, but only Postgres with pgvector is supported.",
            "Write postgresql://user:password@host:5432/answertrail.",
        )
    return url.set(drivername="postgresql+psycopg"), dagster_url.set(drivername="postgresql+psycopg2")


def _create_databases(server: EmbeddedPostgres) -> None:
    engine = create_engine(server.url("postgres", "psycopg"), isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(text("select pg_advisory_lock(hashtext('answertrail databases'))"))
            there = set(connection.execute(text("select datname from pg_database")).scalars())
            for name in (DATABASE, DAGSTER_DATABASE):
                if name not in there:
                    connection.execute(text(f'create database "{name}"'))
    finally:
        engine.dispose()


def _require_answer(engine: Engine) -> None:
    try:
        with engine.connect():
            pass
    except OperationalError as error:
        raise UserError(
            f"The database at {_shown(engine)} cannot be reached: {' '.join(str(error.orig).split())}",
            "Start it, mend DATABASE_URL, or unset it to use the embedded Postgres.",
        ) from error


def require_pgvector(engine: Engine) -> str:
    """Return the version of pgvector on the server.

    Raises:
        UserError: it is missing or too old.
    """
    with engine.connect() as connection:
        found = connection.execute(
            text("select default_version from pg_available_extensions where name = 'vector'")
        ).scalar()
    if found is None or tuple(int(part) for part in found.split(".")[:2]) < MIN_PGVECTOR:
        have = f"pgvector {found}" if found else "no pgvector"
        wanted = ".".join(map(str, MIN_PGVECTOR))
        raise UserError(
            f"The database at {_shown(engine)} has {have}; at least {wanted} is needed.",
            "Install it on the server, or unset DATABASE_URL to use the embedded Postgres.",
        )
    return str(found)


def _shown(engine: Engine) -> str:
    return engine.url.render_as_string(hide_password=True)
