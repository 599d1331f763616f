"""Schema 0010: see sql/migrations/0010_reevaluations.sql."""

from alembic import op

from answertrail_pipeline.store.shipped import read_sql

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Apply the SQL file of this revision."""
    op.get_bind().exec_driver_sql(read_sql("migrations/0010_reevaluations.sql"))
