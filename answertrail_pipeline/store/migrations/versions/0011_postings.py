"""Schema 0011: see sql/migrations/0011_postings.sql."""

from alembic import op

from answertrail_pipeline.store.shipped import read_sql

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Apply the SQL file of this revision."""
    op.get_bind().exec_driver_sql(read_sql("migrations/0011_postings.sql"))
