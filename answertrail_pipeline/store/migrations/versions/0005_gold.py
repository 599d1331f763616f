"""Schema 0005: see sql/migrations/0005_gold.sql."""

from alembic import op

from answertrail_pipeline.store.shipped import read_sql

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Apply the SQL file of this revision."""
    op.get_bind().exec_driver_sql(read_sql("migrations/0005_gold.sql"))
