"""What model work cost: dollars and tokens per task, stage, run and arm, from the ledger."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from sqlalchemy import Connection, text

from answertrail_pipeline.store.shipped import read_sql


@dataclass(frozen=True)
class Spending:
    """Calls of one model on one account.

    Attributes:
        name: the task, stage, run or arm; empty for calls that belong to no run or arm.
        calls: that brought a reply.
        failed: that ended in an error after every try.
        known_usd: dollars of the calls whose price is known; None where no call's is.
        calls_of_unknown_cost: these are in no sum of dollars.
        lost_usd: the most that tries which brought nothing may yet be billed.
    """

    channel: str
    name: str
    model: str
    calls: int
    failed: int
    prompt_tokens: int | None
    cached_tokens: int | None
    completion_tokens: int | None
    reasoning_tokens: int | None
    known_usd: Decimal | None
    calls_of_unknown_cost: int
    lost_usd: Decimal


def spending(
    connection: Connection, by: Literal["task", "stage", "run", "arm"], channel: str | None = None
) -> list[Spending]:
    """Return what calls cost, summed by model and `by`, in their order.

    A call is on the account of whoever made it first: an answer from the ledger costs nothing again.

    Args:
        channel: only this one's; all where None.
    """
    rows = connection.execute(text(read_sql("queries/spending.sql")), {"by": by, "channel": channel})
    return [Spending(**row._mapping) for row in rows]
