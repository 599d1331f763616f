"""The schema: forward-only migrations in `sql/migrations/`, numbered and applied by Alembic.

Alembic rather than a tool that reads SQL files itself: it is SQLAlchemy's own and the most widely kept, it
works on a connection of ours (so one transaction and one lock hold everything), and it knows a schema that is
newer than the program. Each revision is one SQL file.
"""

from dataclasses import dataclass
from pathlib import Path

from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.store.database import transaction

_LOCK = "select pg_advisory_xact_lock(hashtext('answertrail migrations'))"


@dataclass(frozen=True)
class SchemaState:
    """How a database's schema stands to this program's.

    Attributes:
        current: its revision, None in an empty database.
        newest: the program's newest.
        missing: revisions that `migrate` would apply, in order.
        known: False where a newer version of the program made it.
    """

    current: str | None
    newest: str
    missing: tuple[str, ...]
    known: bool


def schema_state(engine: Engine) -> SchemaState:
    """Say how the database's schema stands, without changing it."""
    _, scripts = _scripts()
    revisions = [each.revision for each in scripts.walk_revisions()][::-1]
    with engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    known = current is None or current in revisions
    done = revisions.index(current) + 1 if current in revisions else 0
    return SchemaState(current, revisions[-1], tuple(revisions[done:]) if known else (), known)


def migrate(engine: Engine, to: str = "head") -> None:
    """Apply every migration that the database lacks, in one transaction; it only ever goes forward.

    Args:
        to: the last revision to apply; tests stop at a released one.

    Raises:
        UserError: the database was made by a newer version of the program.
    """
    config, scripts = _scripts()
    known = {revision.revision for revision in scripts.walk_revisions()}

    def upgrade(current: tuple[str, ...], _context: object) -> list[object]:
        unknown = sorted(set(current) - known)
        if unknown:
            raise UserError(
                f"The database has schema {', '.join(unknown)}, which this version does not know.",
                "Install the newer version that made it, or use another database.",
            )
        return list(scripts._upgrade_revs(to, current))  # type: ignore[arg-type]  # as `alembic upgrade`

    with transaction(engine) as connection:
        connection.execute(text(_LOCK))
        environment = EnvironmentContext(config, scripts, fn=upgrade, destination_rev=to)
        environment.configure(connection=connection)
        with environment.begin_transaction():
            environment.run_migrations()


def _scripts() -> tuple[Config, ScriptDirectory]:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config, ScriptDirectory.from_config(config)
