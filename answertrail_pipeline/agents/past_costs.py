"""What questions cost an arm before, as it is configured."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy import text

from answertrail_pipeline.agents.trails import trail_fingerprint
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql


@dataclass(frozen=True)
class PastCosts:
    """What questions cost an arm before: the least that the ledger charged for one, the most that one took."""

    questions: int
    least_usd: Decimal
    most_usd: Decimal


def past_costs(
    database: Database, channel: str, arm_name: str, arm_hash: str, hidden: Sequence[str] = ()
) -> PastCosts | None:
    """Return what questions cost an arm as it is configured, over all its runs; None where none was asked.

    Args:
        hidden: the claims that it leaves out.
    """
    given = {"channel": channel, "arm": arm_name, "arm_hash": arm_hash}
    with database.begin() as connection:
        rows = connection.execute(text(read_sql("queries/past_trails.sql")), given).all()
    of_this_arm = [
        row
        for row in rows
        if row.fingerprint
        == trail_fingerprint(row.question, arm_hash, row.corpus_id, row.repetition, row.epoch, hidden)
    ]
    if not of_this_arm:
        return None
    return PastCosts(len(of_this_arm), min(row.paid for row in of_this_arm), max(row.took for row in of_this_arm))
