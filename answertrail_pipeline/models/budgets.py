"""Money that is spent and reserved, by day and by run."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy import Connection, text

from answertrail_pipeline.store.shipped import read_sql

_ZERO = Decimal(0)


@dataclass(frozen=True)
class Change:
    """What is added to a budget's two sums."""

    spent: Decimal = _ZERO
    reserved: Decimal = _ZERO

    def __add__(self, other: "Change") -> "Change":
        return Change(self.spent + other.spent, self.reserved + other.reserved)


def lock_committed(connection: Connection, budgets: Set[str], also: Set[str] = frozenset()) -> dict[str, Decimal]:
    """Return spent + reserved of each budget, locked until the transaction ends.

    Args:
        also: more budgets that the transaction will change, where they exist: all are locked in one order.
    """
    names = sorted(budgets | also)
    if not names:
        return {}
    if budgets:
        connection.execute(text(read_sql("queries/ledger/open_budgets.sql")), {"budgets": sorted(budgets)})
    rows = connection.execute(
        text(
            "select budget, spent_usd + reserved_usd as committed from budgets"
            " where budget = any(:budgets) order by budget for update"
        ),
        {"budgets": names},
    )
    return {row.budget: row.committed for row in rows}


def fits(budgets: Mapping[str, Decimal | None], amount: Decimal, committed: Mapping[str, Decimal]) -> bool:
    """Return whether every budget with a limit holds one more amount."""
    return all(limit is None or committed[name] + amount <= limit for name, limit in budgets.items())


def change_budgets(connection: Connection, changes: Mapping[str, Change]) -> None:
    """Add to the budgets that exist: only those with a limit are opened."""
    names = sorted(name for name, change in changes.items() if change != Change())
    if not names:
        return
    connection.execute(
        text("select from budgets where budget = any(:budgets) order by budget for update"), {"budgets": names}
    )
    connection.execute(
        text(read_sql("queries/ledger/change_budgets.sql")),
        {
            "budgets": names,
            "spent": [changes[name].spent for name in names],
            "reserved": [changes[name].reserved for name in names],
        },
    )
