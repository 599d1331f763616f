"""Schema 0007: see sql/migrations/0007_judging.sql."""

from alembic import op

from answertrail_pipeline.store.shipped import read_sql

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Apply the SQL file of this revision."""
    op.get_bind().exec_driver_sql(read_sql("migrations/0007_judging.sql"))
