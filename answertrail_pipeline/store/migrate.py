"""The schema: forward-only migrations in `sql/migrations/`, numbered and applied by Alembic.

Alembic rather than a tool that reads SQL files itself: it is SQLAlchemy's own and the most widely kept, it
works on a connection of ours (so one transaction and one lock hold everything), and it knows a schema that is
newer than the program. Each revision is one SQL file.
"""

from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, text

from answertrail_pipeline.errors import UserError

_LOCK = "select pg_advisory_xact_lock(hashtext('answertrail migrations'))"


def migrate(engine: Engine) -> None:
    """Apply every migration that the database lacks, in one transaction.

    Raises:
        UserError: the database was made by a newer version of the program.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    scripts = ScriptDirectory.from_config(config)
    known = {revision.revision for revision in scripts.walk_revisions()}

    def upgrade(current: tuple[str, ...], _context: object) -> list[object]:
        unknown = sorted(set(current) - known)
        if unknown:
            raise UserError(
                f"The database has schema {', '.join(unknown)}, which this version does not know.",
                "Install the newer version that made it, or use another database.",
            )
        return list(scripts._upgrade_revs("head", current))  # type: ignore[arg-type]  # as `alembic upgrade head`

    with engine.begin() as connection:
        connection.execute(text(_LOCK))
        environment = EnvironmentContext(config, scripts, fn=upgrade, destination_rev="head")
        environment.configure(connection=connection)
        with environment.begin_transaction():
            environment.run_migrations()
