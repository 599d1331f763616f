"""Schema 0001: see sql/migrations/0001_core.sql."""

from alembic import op

from answertrail_pipeline.store.shipped import read_sql

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Apply the SQL file of this revision."""
    op.get_bind().exec_driver_sql(read_sql("migrations/0001_core.sql"))
