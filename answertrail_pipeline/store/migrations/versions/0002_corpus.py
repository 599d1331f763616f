"""Schema 0002: see sql/migrations/0002_corpus.sql."""

from alembic import op

from answertrail_pipeline.store.shipped import read_sql

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Apply the SQL file of this revision."""
    op.get_bind().exec_driver_sql(read_sql("migrations/0002_corpus.sql"))
