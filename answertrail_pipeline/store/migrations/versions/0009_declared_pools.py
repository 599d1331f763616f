"""Schema 0009: see sql/migrations/0009_declared_pools.sql."""

from alembic import op

from answertrail_pipeline.store.shipped import read_sql

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Apply the SQL file of this revision."""
    op.get_bind().exec_driver_sql(read_sql("migrations/0009_declared_pools.sql"))
