"""Ledger rows of work done by rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import text

from answertrail_pipeline.models.types import Account
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql


@dataclass(frozen=True)
class RulesRow:
    """One piece of work done by a task's rules; `request` and `reply` are JSON texts."""

    call_key: str
    task: str
    task_version: str
    prompt_hash: str
    account: Account
    request: str
    reply: str


def record_rules(database: Database, rows: Sequence[RulesRow]) -> list[None]:
    """Store rows, leaving alone what is there: the same key is the same work.

    The commit need not reach the disk at once: what rules make can be made again.
    """
    columns: dict[str, list[str | None]] = {
        name: [getattr(row, name) for row in rows]
        for name in ("call_key", "task", "task_version", "prompt_hash", "request", "reply")
    }
    for name in ("channel", "stage", "unit_key", "run_key", "arm"):
        columns[name] = [getattr(row.account, name) for row in rows]
    with database.begin() as connection:
        connection.execute(text("set local synchronous_commit = off"))
        connection.execute(text(read_sql("queries/ledger/record_rules.sql")), columns)
    return [None] * len(rows)
