"""Calls as they go into the table `model_calls` and come out of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row, text

from answertrail_pipeline.models.types import Account, ChatReply, ToolCall, Usage
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


def find_calls(connection: Connection, keys: Sequence[str]) -> dict[str, Row[Any]]:
    """Return the rows of the calls that are in the ledger, by key."""
    found = connection.execute(text(read_sql("queries/ledger/look_up.sql")), {"keys": list(keys)})
    return {row.call_key: row for row in found}


def stored_reply(row: Row[Any] | None) -> ChatReply | None:
    """Return the reply that a row holds, or None where the call has none."""
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


def claim_columns(calls: Sequence[CallToMake]) -> dict[str, list[Any]]:
    """Return calls as the columns of `claim.sql`."""
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


def end_columns(ends: Sequence[CallEnd]) -> dict[str, list[Any]]:
    """Return ends as the columns of `settle.sql`."""
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
