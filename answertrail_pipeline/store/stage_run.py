"""What is done and what is due: units, their fingerprints, and the loop that brings them up to date.

A unit is due when the table `stage_run` holds no row for its key, or one made from another input or another
code version, or one that ended `open` or `error`, or one that lacks what a later try may bring. Each unit commits
alone, its rows together with its `stage_run` row, so a killed run resumes and a run with nothing new does nothing.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UnitError, UserError
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql

log = logging.getLogger(__name__)


class UnitState(StrEnum):
    """How a unit stands."""

    OPEN = "open"
    DONE = "done"
    ERROR = "error"
    UNSCORED = "unscored"
    BLOCKED = "blocked"


@dataclass(frozen=True)
class Unit:
    """One piece of a stage's work.

    Attributes:
        key: stable name, unique in the stage.
        input_hash: fingerprint of all that the unit is made from: output hashes of its inputs, prompt hash,
            model, parameters. The stage's code version is kept beside it.
        blocked: why it must not be computed now (a failed blocking gate upstream), or None.
        try_again: it was computed, but a later try may bring what it lacks (after a time-out, not a refusal).
    """

    key: str
    input_hash: str
    blocked: str | None = None
    try_again: bool = False


@dataclass(frozen=True)
class Gate:
    """The word of one data-quality gate on one unit."""

    name: str
    passed: bool
    description: str
    blocking: bool = False
    numbers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Computed:
    """What computing a unit brought, not yet written.

    Attributes:
        output_hash: fingerprint of the result; what depends on the unit compares this.
        write: stores the rows, inside the transaction that also stores the `stage_run` row.
        state: `done`, or `unscored`.
        counts: figures for people and for metadata.
        gates: a blocking gate that failed turns the state into `blocked`.
    """

    output_hash: str
    write: Callable[[Connection], None]
    state: UnitState = UnitState.DONE
    reason: str | None = None
    counts: Mapping[str, int | float] = field(default_factory=dict)
    gates: Sequence[Gate] = ()


@dataclass(frozen=True)
class Stage:
    """One step of the pipeline for one channel or run.

    Attributes:
        name: the asset's name.
        channel: whose work it is.
        code_version: raised by hand when the step's code changes what it makes.
        units: lists every unit that should exist now, sorted by key; reads the database.
        compute: makes one unit; awaits model calls; raises `UnitError` where it cannot be done.
        concurrency: how many units are in work at once.
        grows: whether what comes of a unit may call for further ones: a video without a question for another.
    """

    name: str
    channel: str
    code_version: str
    units: Callable[[], Sequence[Unit]]
    compute: Callable[[Unit], Awaitable[Computed]]
    concurrency: int = 1
    grows: bool = False


@dataclass(frozen=True)
class StageReport:
    """What one pass over a stage did: counts by outcome, and the errors by unit."""

    stage: str
    units: int
    computed: int = 0
    current: int = 0
    blocked: int = 0
    errors: Mapping[str, str] = field(default_factory=dict)


def due(database: Database, stage: Stage, keys: Iterable[str] | None = None) -> tuple[list[Unit], int]:
    """Return the units that must be computed, in order, and how many units there are.

    Args:
        keys: only these units; all where None.
    """
    wanted = None if keys is None else set(keys)
    units = [unit for unit in stage.units() if wanted is None or unit.key in wanted]
    with database.begin() as connection:
        rows = {
            row.key: row
            for row in connection.execute(
                text("select key, input_hash, code_version, state from stage_run where stage = :stage"
                     " and channel = :channel"),
                {"stage": stage.name, "channel": stage.channel},
            )
        }  # fmt: skip
    return [unit for unit in units if _is_due(unit, stage, rows.get(unit.key))], len(units)


def _is_due(unit: Unit, stage: Stage, row: Any) -> bool:
    if row is None or row.input_hash != unit.input_hash or row.code_version != stage.code_version:
        return True
    if unit.blocked:
        return bool(row.state != UnitState.BLOCKED)
    return unit.try_again or row.state in (UnitState.OPEN, UnitState.ERROR)


async def run_stage(
    database: Database,
    stage: Stage,
    keys: Iterable[str] | None = None,
    on_due: Callable[[int], None] = lambda _count: None,
    on_unit: Callable[[Unit, UnitState], None] = lambda _unit, _state: None,
) -> StageReport:
    """Bring a stage up to date and say what was done.

    A unit that raises `UnitError` is stored as `error` with its reason and the others go on; any other
    exception stops the pass and is raised after the units in work have been cancelled: a `UserError` by itself,
    a bug in a group with its traceback.

    Args:
        keys: only these units; all where None.
        on_due: told once how many units will be computed.
        on_unit: told of every unit that was computed.
    """
    wanted = None if keys is None else list(keys)
    todo, total = due(database, stage, wanted)
    current = total - len(todo)
    on_due(len(todo))
    states: dict[str, UnitState] = {}
    errors: dict[str, str] = {}
    slots = asyncio.Semaphore(stage.concurrency)

    async def one(unit: Unit) -> None:
        async with slots:
            states[unit.key], reason = await _compute(database, stage, unit)
        if states[unit.key] is UnitState.ERROR:
            errors[unit.key] = reason or ""
        on_unit(unit, states[unit.key])

    while todo:
        try:
            async with asyncio.TaskGroup() as group:
                for unit in todo:
                    group.create_task(one(unit))
        except BaseExceptionGroup as raised:
            for_people, bugs = raised.split(UserError)
            if for_people is None or bugs is not None:
                raise
            raise for_people.exceptions[0] from None  # what every unit would meet: said once, without a traceback
        again, total = due(database, stage, wanted) if stage.grows else ([], total)
        todo = [unit for unit in again if unit.key not in states]
    blocked = sum(state is UnitState.BLOCKED for state in states.values())
    return StageReport(
        stage.name,
        total,
        len(states) - len(errors) - blocked,
        current,
        blocked,
        dict(sorted(errors.items())),
    )


async def _compute(database: Database, stage: Stage, unit: Unit) -> tuple[UnitState, str | None]:
    if unit.blocked:
        with database.begin() as connection:
            _store(connection, stage, unit, UnitState.BLOCKED, unit.blocked)
        return UnitState.BLOCKED, unit.blocked
    started = time.monotonic()
    try:
        computed = await stage.compute(unit)
    except UnitError as error:
        _log(stage, unit, UnitState.ERROR, started, reason=str(error))
        with database.begin() as connection:
            if found := _finished_by_another(connection, stage, unit):
                return found
            _store(connection, stage, unit, UnitState.ERROR, str(error))
        return UnitState.ERROR, str(error)
    failed = [gate for gate in computed.gates if gate.blocking and not gate.passed]
    state = UnitState.BLOCKED if failed else computed.state
    reason = "; ".join(gate.description for gate in failed) or computed.reason
    with database.begin() as connection:
        if found := _finished_by_another(connection, stage, unit):
            return found
        computed.write(connection)
        _store(connection, stage, unit, state, reason, computed)
        _store_gates(connection, stage, unit, computed.gates)
    _log(stage, unit, state, started, reason, computed.counts)
    return state, reason


def _finished_by_another(connection: Connection, stage: Stage, unit: Unit) -> tuple[UnitState, str | None] | None:
    """Wait for whoever writes this stage now, and return the unit's state if it is finished meanwhile.

    Two operators may start the same job. Writing is short and replaces rows, so one writes after the other.
    """
    wait_for_stage(connection, stage.name, stage.channel)
    row = connection.execute(
        text("select input_hash, code_version, state, reason from stage_run where stage = :stage and key = :key"),
        {"stage": stage.name, "key": unit.key},
    ).one_or_none()
    if row is None or _is_due(unit, stage, row):
        return None
    return UnitState(row.state), row.reason


def wait_for_stage(connection: Connection, stage: str, channel: str) -> None:
    """Wait for whoever writes what a stage makes of a channel, and keep others from it until the transaction ends.

    A statement of its own: the next one sees what was committed while this one waited.
    """
    connection.execute(
        text("select pg_advisory_xact_lock(hashtextextended(:stage || ' ' || :channel, 0))"),
        {"stage": stage, "channel": channel},
    )


def _log(
    stage: Stage,
    unit: Unit,
    state: UnitState,
    started: float,
    reason: str | None = None,
    counts: Mapping[str, int | float] | None = None,
) -> None:
    """Write one line about one unit; `unit` holds its parts for logs that machines read."""
    seconds = round(time.monotonic() - started, 3)
    parts = {"stage": stage.name, "channel": stage.channel, "key": unit.key, "state": state.value}
    more = {"seconds": seconds, "reason": reason, "counts": dict(counts or {})}
    level = logging.WARNING if state is UnitState.ERROR else logging.INFO
    words = reason or ", ".join(f"{name} {value:g}" for name, value in (counts or {}).items())
    said = (stage.name, unit.key, state.value, seconds, words)
    log.log(level, "%s %s: %s in %.2f s; %s", *said, extra={"unit": parts | more})


def _store(
    connection: Connection,
    stage: Stage,
    unit: Unit,
    state: UnitState,
    reason: str | None,
    computed: Computed | None = None,
) -> None:
    connection.execute(
        text(read_sql("queries/store_stage_run.sql")),
        {
            "stage": stage.name,
            "key": unit.key,
            "channel": stage.channel,
            "input_hash": unit.input_hash,
            "code_version": stage.code_version,
            "output_hash": computed.output_hash if computed else None,
            "state": state.value,
            "reason": reason,
            "counts": json.dumps(dict(computed.counts) if computed else {}),
        },
    )


def _store_gates(connection: Connection, stage: Stage, unit: Unit, gates: Sequence[Gate]) -> None:
    connection.execute(
        text("delete from gates where stage = :stage and key = :key"), {"stage": stage.name, "key": unit.key}
    )
    for gate in gates:
        connection.execute(
            text(read_sql("queries/store_gate.sql")),
            {
                "stage": stage.name,
                "key": unit.key,
                "gate": gate.name,
                "channel": stage.channel,
                "passed": gate.passed,
                "blocking": gate.blocking,
                "description": gate.description,
                "numbers": json.dumps(dict(gate.numbers), sort_keys=True),
            },
        )


def output_hashes(connection: Connection, stage: str, channel: str) -> dict[str, str]:
    """Return the output hash of every finished unit of a stage, by key: the inputs of what comes after."""
    rows = connection.execute(text(read_sql("queries/output_hashes.sql")), {"stage": stage, "channel": channel})
    return {row.key: row.output_hash for row in rows}


def blocked_keys(connection: Connection, stage: str, channel: str) -> dict[str, str]:
    """Return the reason of every blocked unit of a stage, by key."""
    rows = connection.execute(
        text(
            "select key, reason from stage_run where stage = :stage and channel = :channel and state = 'blocked'"
        ),
        {"stage": stage, "channel": channel},
    )
    return {row.key: row.reason for row in rows}
