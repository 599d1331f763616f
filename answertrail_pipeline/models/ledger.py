"""The table `model_calls` and the budgets: what was asked, who is asking now, what came back, what it cost.

Every method is one short transaction over many calls at once (models/batching.py gathers them). Locks are taken in
one order everywhere: pools, calls by key, budgets by name.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, auto
from typing import Any

from sqlalchemy import Connection, Row, create_engine, text

from answertrail_pipeline.models.types import Account, ChatReply, ToolCall, Usage
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql

_ZERO = Decimal(0)
_NOTHING_SAID = Usage()


@dataclass(frozen=True)
class CallToMake:
    """A call as it stands in the ledger before it is made.

    Attributes:
        pool: model and endpoint, which share one concurrency limit.
        request: the whole request as JSON text; `call_key` is its fingerprint.
        budgets: the limit in dollars of each budget that pays for it; None where there is none.
        reserve_usd: the highest cost of one try.
    """

    call_key: str
    kind: str
    pool: str
    model: str
    task: str
    task_version: str
    prompt_hash: str
    account: Account
    request: str
    budgets: Mapping[str, Decimal | None]
    reserve_usd: Decimal = Decimal(0)


@dataclass(frozen=True)
class CallEnd:
    """How a call ended: with a reply, or with an error after every try.

    Attributes:
        reserved_usd: all that was reserved for it.
        lost_usd: highest cost of tries that brought nothing but may be billed.
    """

    call: CallToMake
    reply: Mapping[str, Any] | None = None
    finish_reason: str | None = None
    usage: Usage = _NOTHING_SAID
    cost_usd: Decimal | None = None
    reserved_usd: Decimal = Decimal(0)
    lost_usd: Decimal = Decimal(0)
    latency_ms: int | None = None
    tries: int = 1
    error_code: str | None = None
    error: str | None = None


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
        with self._engine.begin() as connection:
            rows = _rows(connection, keys)
        return [_stored_reply(rows.get(key)) for key in keys]

    def claim(self, calls: Sequence[CallToMake]) -> list[ClaimOutcome]:
        """Take the calls that are ours to make: in flight from here on, their highest cost reserved."""
        outcomes: dict[str, ClaimOutcome] = {}
        with self._engine.begin() as connection:
            self._lock_pools(connection, {call.pool for call in calls})
            rows = _rows(connection, [call.call_key for call in calls])
            free = self._free_slots(connection, {call.pool for call in calls})
            wanted: list[CallToMake] = []
            for call in sorted(calls, key=lambda call: call.call_key):
                row = rows.get(call.call_key)
                stored = _stored_reply(row)
                if stored is not None:
                    outcomes[call.call_key] = stored
                elif row is not None and row.in_flight:
                    outcomes[call.call_key] = Refusal.BUSY
                elif free[call.pool] <= 0:
                    outcomes[call.call_key] = Refusal.NO_SLOT
                else:
                    free[call.pool] -= 1
                    wanted.append(call)
            taken = self._take(connection, wanted, outcomes, rows)
            for call in wanted:
                outcomes.setdefault(call.call_key, None if call.call_key in taken else Refusal.BUSY)
        return [outcomes[call.call_key] for call in calls]

    def _take(
        self,
        connection: Connection,
        wanted: Sequence[CallToMake],
        outcomes: dict[str, ClaimOutcome],
        rows: Mapping[str, Row[Any]],
    ) -> set[str]:
        """Insert or take over the rows of the calls that their budgets can pay, and reserve the money."""
        limited = {name for call in wanted for name, limit in call.budgets.items() if limit is not None}
        committed = _committed(connection, limited)
        paid = []
        for call in wanted:
            if _fits(call.budgets, call.reserve_usd, committed):
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
                {"owner": self.owner, "lease": self.lease_seconds, **_claim_columns(paid)},
            ).scalars()
        )
        changes: defaultdict[str, _Change] = defaultdict(_Change)
        for call in paid:
            if call.call_key in taken:
                for name in call.budgets:
                    changes[name] += _Change(reserved=call.reserve_usd)
                dead = rows.get(call.call_key)
                if dead is not None and dead.state == "in_flight":  # what its process had reserved may be billed
                    for name in dead.budgets:
                        changes[name] += _Change(dead.reserved_usd, -dead.reserved_usd)
        _change_budgets(connection, changes)
        return taken

    def reserve_again(self, call: CallToMake, amount: Decimal) -> bool:
        """Reserve the cost of one more try, the last one having brought nothing that may yet be billed."""
        with self._engine.begin() as connection:
            held = connection.execute(
                text(
                    "update model_calls set reserved_usd = reserved_usd + :amount"
                    " where call_key = :key and owner = :owner and state = 'in_flight' returning call_key"
                ),
                {"amount": amount, "key": call.call_key, "owner": self.owner},
            ).scalar()
            limited = {name for name, limit in call.budgets.items() if limit is not None}
            left = _committed(connection, limited)
            if held is None or not _fits(call.budgets, amount, left):
                connection.rollback()
                return held is None  # taken over: whoever has it pays; our try ends at `settle`
            _change_budgets(connection, {name: _Change(reserved=amount) for name in call.budgets})
        return True

    def settle(self, ends: Sequence[CallEnd]) -> list[bool]:
        """Store how calls ended; False for one that another process has taken over meanwhile."""
        with self._engine.begin() as connection:
            settled = set(
                connection.execute(
                    text(read_sql("queries/ledger/settle.sql")), {"owner": self.owner, **_end_columns(ends)}
                ).scalars()
            )
            changes: defaultdict[str, _Change] = defaultdict(_Change)
            for end in ends:
                if end.call.call_key in settled:
                    for name in end.call.budgets:
                        changes[name] += _Change((end.cost_usd or _ZERO) + end.lost_usd, -end.reserved_usd)
            _change_budgets(connection, changes)
        return [end.call.call_key in settled for end in ends]

    def stand(self, budgets: Mapping[str, Decimal | None]) -> list[tuple[str, Decimal, Decimal, Decimal]]:
        """Return name, dollars spent, dollars reserved and limit of each budget that has a limit."""
        limits = {name: limit for name, limit in budgets.items() if limit is not None}
        with self._engine.begin() as connection:
            rows = connection.execute(
                text("select budget, spent_usd, reserved_usd from budgets where budget = any(:names) order by 1"),
                {"names": sorted(limits)},
            ).all()
        return [(row.budget, row.spent_usd, row.reserved_usd, limits[row.budget]) for row in rows]

    def renew(self) -> None:
        """Renew the lease of every call that this process has in flight."""
        with self._engine.begin() as connection:
            connection.execute(
                text(read_sql("queries/ledger/renew.sql")), {"owner": self.owner, "lease": self.lease_seconds}
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


@dataclass(frozen=True)
class _Change:
    """What is added to a budget's two sums."""

    spent: Decimal = _ZERO
    reserved: Decimal = _ZERO

    def __add__(self, other: "_Change") -> "_Change":
        return _Change(self.spent + other.spent, self.reserved + other.reserved)


def _committed(connection: Connection, budgets: set[str]) -> dict[str, Decimal]:
    """Return spent + reserved of each budget, locked until the transaction ends."""
    if not budgets:
        return {}
    names = sorted(budgets)
    connection.execute(text(read_sql("queries/ledger/open_budgets.sql")), {"budgets": names})
    rows = connection.execute(
        text(
            "select budget, spent_usd + reserved_usd as committed from budgets"
            " where budget = any(:budgets) order by budget for update"
        ),
        {"budgets": names},
    )
    return {row.budget: row.committed for row in rows}


def _fits(budgets: Mapping[str, Decimal | None], amount: Decimal, committed: Mapping[str, Decimal]) -> bool:
    return all(limit is None or committed[name] + amount <= limit for name, limit in budgets.items())


def _change_budgets(connection: Connection, changes: Mapping[str, _Change]) -> None:
    """Add to the budgets that exist: only those with a limit are opened."""
    names = sorted(name for name, change in changes.items() if change != _Change())
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


def _rows(connection: Connection, keys: Sequence[str]) -> dict[str, Row[Any]]:
    found = connection.execute(text(read_sql("queries/ledger/look_up.sql")), {"keys": list(keys)})
    return {row.call_key: row for row in found}


def _stored_reply(row: Row[Any] | None) -> ChatReply | None:
    if row is None or row.state != "done":
        return None
    usage = Usage(
        prompt_tokens=row.prompt_tokens,
        cached_tokens=row.cached_tokens,
        completion_tokens=row.completion_tokens,
        reasoning_tokens=row.reasoning_tokens,
    )
    return _chat_reply(row.call_key, row.reply, row.finish_reason, usage, row.cost_usd, from_ledger=True)


def reply_of(end: CallEnd) -> ChatReply:
    """Return the reply that a call ended with.

    Raises:
        ValueError: it ended with an error.
    """
    if end.reply is None or end.finish_reason is None:
        raise ValueError(f"{end.call.call_key} brought no reply")
    return _chat_reply(end.call.call_key, end.reply, end.finish_reason, end.usage, end.cost_usd, from_ledger=False)


def _chat_reply(
    call_key: str,
    reply: Mapping[str, Any],
    finish_reason: str,
    usage: Usage,
    cost_usd: Decimal | None,
    *,
    from_ledger: bool,
) -> ChatReply:
    return ChatReply(
        call_key=call_key,
        content=reply["content"],
        tool_calls=tuple(ToolCall(**call) for call in reply["tool_calls"]),
        refusal=reply["refusal"],
        finish_reason=finish_reason,
        usage=usage,
        cost_usd=cost_usd,
        from_ledger=from_ledger,
    )


def _claim_columns(calls: Sequence[CallToMake]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {
        name: [getattr(call, name) for call in calls]
        for name in ("call_key", "kind", "pool", "model", "task", "task_version", "prompt_hash", "request")
    }
    for name in ("channel", "stage", "unit_key", "run_key", "arm"):
        columns[name] = [getattr(call.account, name) for call in calls]
    columns["budgets"] = [_array_text(call.budgets) for call in calls]
    columns["reserved_usd"] = [call.reserve_usd for call in calls]
    return columns


def _array_text(names: Mapping[str, object]) -> str:
    """Return names as the text of a Postgres array: an array of arrays would have to be rectangular."""
    quoted = (name.replace("\\", "\\\\").replace('"', '\\"') for name in names)
    return "{" + ",".join(f'"{name}"' for name in quoted) + "}"


def _end_columns(ends: Sequence[CallEnd]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {
        name: [getattr(end, name) for end in ends]
        for name in ("finish_reason", "cost_usd", "lost_usd", "latency_ms", "tries", "error_code", "error")
    }
    for name in ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens"):
        columns[name] = [getattr(end.usage, name) for end in ends]
    columns["call_key"] = [end.call.call_key for end in ends]
    columns["state"] = ["error" if end.reply is None else "done" for end in ends]
    columns["reply"] = [None if end.reply is None else json.dumps(end.reply) for end in ends]
    return columns
