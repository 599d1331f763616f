"""Schema 0006: see sql/migrations/0006_runs.sql."""

from alembic import op

from answertrail_pipeline.store.shipped import read_sql

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Apply the SQL file of this revision."""
    op.get_bind().exec_driver_sql(read_sql("migrations/0006_runs.sql"))
