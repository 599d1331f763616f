"""Schema 0004: see sql/migrations/0004_retrieval.sql."""

from alembic import op

from answertrail_pipeline.store.shipped import read_sql

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Apply the SQL file of this revision."""
    op.get_bind().exec_driver_sql(read_sql("migrations/0004_retrieval.sql"))
