"""The table `model_calls` and the budgets: what was asked, who is asking now, what came back, what it cost.

Every method is one short transaction over many calls at once (models/batching.py gathers them). Locks are taken in
one order everywhere: pools, calls by key, budgets by name.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import Enum, auto
from typing import Any

from sqlalchemy import Connection, Row, create_engine, text

from answertrail_pipeline.models.budgets import Change, change_budgets, fits, lock_committed
from answertrail_pipeline.models.ledger_rows import (
    CallEnd,
    CallToMake,
    claim_columns,
    end_columns,
    find_calls,
    stored_reply,
)
from answertrail_pipeline.models.types import ChatReply
from answertrail_pipeline.store.database import Database, transaction
from answertrail_pipeline.store.shipped import read_sql

_ZERO = Decimal(0)


class Refusal(Enum):
    """Why a call must not be made now."""

    BUSY = auto()  # another process makes it
    NO_SLOT = auto()  # its pool has as many calls in flight as are allowed
    OVER_BUDGET = auto()


ClaimOutcome = ChatReply | Refusal | None
"""A reply that is there already, why not now, or None: the call is ours to make."""


class Ledger:
    """One process's view of the ledger.

    Args:
        owner: name of this process, unique; calls in flight carry it.
        lease_seconds: for how long a claim holds without being renewed.
        slots: how many calls of one pool may be in flight over all processes.
    """

    def __init__(self, database: Database, owner: str, lease_seconds: float, slots: int) -> None:
        self.owner = owner
        self.lease_seconds = lease_seconds
        self.slots = slots
        self._pools: set[str] = set()
        # What was paid for must survive a power cut, whatever the server's default for recomputable rows is.
        self._engine = create_engine(
            database.engine.url,
            connect_args={"prepare_threshold": None, "options": "-c timezone=UTC -c synchronous_commit=on"},
            pool_size=4,
        )

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def look_up(self, keys: Sequence[str]) -> list[ChatReply | None]:
        """Return the stored reply of each finished call, None of any other."""
        with transaction(self._engine) as connection:
            rows = find_calls(connection, keys)
        return [stored_reply(rows.get(key)) for key in keys]

    def turn(self, ends: Sequence[CallEnd], calls: Sequence[CallToMake]) -> tuple[list[bool], list[ClaimOutcome]]:
        """Store how calls ended, and take the next ones in the places that they left.

        Returns:
            Of each end, False where another process has taken the call over. Of each call to make, whether
            it is ours: in flight from here on, its highest cost reserved.
        """
        outcomes: dict[str, ClaimOutcome] = {}
        changes: defaultdict[str, Change] = defaultdict(Change)
        pools = {call.pool for call in calls}
        with transaction(self._engine) as connection:
            if calls:
                self._lock_pools(connection, pools)
            settled = self._settle(connection, ends, changes)
            if calls:
                rows = find_calls(connection, [call.call_key for call in calls])
                wanted = _wanted(calls, rows, self._free_slots(connection, pools), outcomes)
                taken = self._take(connection, wanted, outcomes, rows, changes)
                for call in wanted:
                    outcomes.setdefault(call.call_key, None if call.call_key in taken else Refusal.BUSY)
            change_budgets(connection, changes)
        return [end.call.call_key in settled for end in ends], [outcomes[call.call_key] for call in calls]

    def settle(self, end: CallEnd) -> None:
        """Store how one call ended."""
        self.turn([end], [])

    def _settle(
        self, connection: Connection, ends: Sequence[CallEnd], changes: defaultdict[str, Change]
    ) -> set[str]:
        if not ends:
            return set()
        settled = set(
            connection.execute(
                text(read_sql("queries/ledger/settle.sql")), {"owner": self.owner, **end_columns(ends)}
            ).scalars()
        )
        for end in ends:
            if end.call.call_key in settled:
                for name in end.call.budgets:
                    changes[name] += Change((end.cost_usd or _ZERO) + end.lost_usd, -end.reserved_usd)
        return settled

    def _take(
        self,
        connection: Connection,
        wanted: Sequence[CallToMake],
        outcomes: dict[str, ClaimOutcome],
        rows: Mapping[str, Row[Any]],
        changes: defaultdict[str, Change],
    ) -> set[str]:
        """Insert or take over the rows of the calls that their budgets can pay, and reserve the money.

        Args:
            changes: what the ends of this turn leave of the budgets; what is reserved is added.
        """
        limited = {name for call in wanted for name, limit in call.budgets.items() if limit is not None}
        committed = {
            name: held + changes[name].spent + changes[name].reserved
            for name, held in lock_committed(connection, limited, changes.keys()).items()
        }
        paid = []
        for call in wanted:
            if fits(call.budgets, call.reserve_usd, committed):
                paid.append(call)
                for name in call.budgets.keys() & committed.keys():
                    committed[name] += call.reserve_usd
            else:
                outcomes[call.call_key] = Refusal.OVER_BUDGET
        if not paid:
            return set()
        taken = set(
            connection.execute(
                text(read_sql("queries/ledger/claim.sql")),
                {"owner": self.owner, "lease": self.lease_seconds, **claim_columns(paid)},
            ).scalars()
        )
        for call in paid:
            if call.call_key in taken:
                for name in call.budgets:
                    changes[name] += Change(reserved=call.reserve_usd)
                dead = rows.get(call.call_key)
                if dead is not None and dead.state == "in_flight":  # what its process had reserved may be billed
                    for name in dead.budgets:
                        changes[name] += Change(dead.reserved_usd, -dead.reserved_usd)
        return taken

    def reserve_again(self, call: CallToMake, amount: Decimal) -> bool:
        """Reserve the cost of one more try, the last one having brought nothing that may yet be billed."""
        with transaction(self._engine) as connection:
            held = connection.execute(
                text(
                    "update model_calls set reserved_usd = reserved_usd + :amount"
                    " where call_key = :key and owner = :owner and state = 'in_flight' returning call_key"
                ),
                {"amount": amount, "key": call.call_key, "owner": self.owner},
            ).scalar()
            limited = {name for name, limit in call.budgets.items() if limit is not None}
            left = lock_committed(connection, limited)
            if held is None or not fits(call.budgets, amount, left):
                connection.rollback()
                return held is None  # taken over: whoever has it pays; our try ends at `settle`
            change_budgets(connection, {name: Change(reserved=amount) for name in call.budgets})
        return True

    def stand(self, budgets: Mapping[str, Decimal | None]) -> list[tuple[str, Decimal, Decimal, Decimal]]:
        """Return name, dollars spent, dollars reserved and limit of each budget that has a limit."""
        limits = {name: limit for name, limit in budgets.items() if limit is not None}
        with transaction(self._engine) as connection:
            rows = connection.execute(
                text("select budget, spent_usd, reserved_usd from budgets where budget = any(:names) order by 1"),
                {"names": sorted(limits)},
            ).all()
        return [(row.budget, row.spent_usd, row.reserved_usd, limits[row.budget]) for row in rows]

    def renew(self, keys: Sequence[str]) -> None:
        """Renew the leases of calls that this process has in flight."""
        with transaction(self._engine) as connection:
            connection.execute(
                text(read_sql("queries/ledger/renew.sql")),
                {"owner": self.owner, "lease": self.lease_seconds, "keys": list(keys)},
            )

    def _lock_pools(self, connection: Connection, pools: set[str]) -> None:
        names = sorted(pools)
        if not pools <= self._pools:
            connection.execute(
                text("insert into call_pools (pool) select unnest(cast(:pools as text[])) on conflict do nothing"),
                {"pools": names},
            )
            self._pools |= pools
        connection.execute(
            text("select pool from call_pools where pool = any(:pools) order by pool for update"), {"pools": names}
        )

    def _free_slots(self, connection: Connection, pools: set[str]) -> dict[str, int]:
        rows = connection.execute(
            text(read_sql("queries/ledger/count_in_flight.sql")), {"pools": sorted(pools)}
        ).all()
        return dict.fromkeys(pools, self.slots) | {row.pool: self.slots - row.calls for row in rows}


def _wanted(
    calls: Sequence[CallToMake],
    rows: Mapping[str, Row[Any]],
    free: dict[str, int],
    outcomes: dict[str, ClaimOutcome],
) -> list[CallToMake]:
    """Return the calls that nobody has made or makes and that a slot is free for; say of the others why not."""
    wanted: list[CallToMake] = []
    for call in sorted(calls, key=lambda call: call.call_key):
        row = rows.get(call.call_key)
        stored = stored_reply(row)
        if stored is not None:
            outcomes[call.call_key] = stored
        elif row is not None and row.in_flight:
            outcomes[call.call_key] = Refusal.BUSY
        elif free[call.pool] <= 0:
            outcomes[call.call_key] = Refusal.NO_SLOT
        else:
            free[call.pool] -= 1
            wanted.append(call)
    return wanted
