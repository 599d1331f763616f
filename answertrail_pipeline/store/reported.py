"""What Dagster has not been told yet: finished units whose output hash differs from the one last reported."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from answertrail_pipeline.store.shipped import read_sql


class Finished(NamedTuple):
    """A finished unit, as an orchestrator wants to know it."""

    stage: str
    key: str
    output_hash: str
    code_version: str
    counts: dict[str, Any]


def unreported(connection: Connection) -> list[Finished]:
    """Return the finished units that are owed an event, in order of stage and key."""
    return [Finished(*row) for row in connection.execute(text(read_sql("queries/unreported.sql")))]


def finished(connection: Connection, stages: Sequence[str], keys: Sequence[str] | None = None) -> list[Finished]:
    """Return the finished units of some stages, optionally only those of some keys, in order."""
    rows = connection.execute(
        text(read_sql("queries/finished.sql")),
        {"stages": list(stages), "all_keys": keys is None, "keys": list(keys or ())},
    )
    return [Finished(*row) for row in rows]


def finished_of_run(connection: Connection, stage: str, run_key: str) -> list[Finished]:
    """Return a run's finished units of one stage: the run itself, or its questions."""
    units = finished(connection, [stage])
    return [unit for unit in units if unit.key == run_key or unit.key.startswith(f"{run_key}/")]


def mark_reported(connection: Connection, units: Sequence[Finished]) -> None:
    """Remember that these units' output hashes have been told."""
    if units:
        connection.execute(
            text(read_sql("queries/mark_reported.sql")),
            [{"stage": unit.stage, "key": unit.key, "hash": _told(unit)} for unit in units],
        )


def _told(unit: Finished) -> str:
    return f"{unit.output_hash}:{unit.code_version}"
