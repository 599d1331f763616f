from dataclasses import replace

import pytest
from sqlalchemy import text

from answertrail_pipeline.errors import UnitError, UserError
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import (
    Computed,
    Gate,
    Stage,
    Unit,
    blocked_keys,
    output_hashes,
    run_stage,
)


def stage(units: list[Unit], made: list[str], code_version: str = "1", **outcome: object) -> Stage:
    async def compute(unit: Unit) -> Computed:
        made.append(unit.key)
        if unit.key in outcome.get("fail", ()):
            raise UnitError("timeout", "the model did not answer")
        gates = [Gate("g", unit.key not in outcome.get("gate", ()), "a gate", blocking=True)]
        return Computed(output_hash=f"out-{unit.input_hash}", write=lambda _connection: None, gates=gates)

    return Stage("s", "channel", code_version, lambda: units, compute)


async def test_only_what_is_missing_or_changed_is_computed(database: Database) -> None:
    made: list[str] = []
    first = await run_stage(database, stage([Unit("a", "1"), Unit("b", "1")], made))
    assert (first.units, first.computed, first.current) == (2, 2, 0)
    made.clear()
    again = await run_stage(database, stage([Unit("a", "1"), Unit("b", "2"), Unit("c", "1")], made))
    assert made == ["b", "c"]
    assert (again.computed, again.current) == (2, 1)
    made.clear()
    await run_stage(database, stage([Unit("a", "1")], made, code_version="2"))
    assert made == ["a"]
    with database.begin() as connection:
        assert output_hashes(connection, "s", "channel") == {"a": "out-1", "b": "out-2", "c": "out-1"}


async def test_units_that_others_call_for_are_computed_in_the_same_pass(database: Database) -> None:
    made: list[str] = []

    def growing(fail: set[str]) -> Stage:  # a calls for b, b for c
        units = [Unit("a", "1"), Unit("b", "1"), Unit("c", "1")]
        known = stage(units, made, fail=fail)
        return replace(known, units=lambda: units[: len(set(made)) + 1], grows=True)

    report = await run_stage(database, growing({"b"}))
    assert (made, report.units, report.computed) == (["a", "b", "c"], 3, 2), (
        "b fails once and is not tried in a circle"
    )
    made.clear()
    made += ["a", "b", "c"]
    report = await run_stage(database, growing(set()))
    assert (made[3:], report.computed, report.current) == (["b"], 1, 2)


async def test_an_error_is_named_tried_again_and_stops_nobody(database: Database) -> None:
    made: list[str] = []
    units = [Unit("a", "1"), Unit("b", "1")]
    report = await run_stage(database, stage(units, made, fail={"a"}))
    assert dict(report.errors) == {"a": "timeout: the model did not answer"}
    assert report.computed == 1
    made.clear()
    await run_stage(database, stage(units, made))
    assert made == ["a"]


async def test_a_failed_blocking_gate_blocks_until_the_input_changes(database: Database) -> None:
    made: list[str] = []
    report = await run_stage(database, stage([Unit("a", "1")], made, gate={"a"}))
    assert report.blocked == 1
    with database.begin() as connection:
        assert blocked_keys(connection, "s", "channel") == {"a": "a gate"}
        assert output_hashes(connection, "s", "channel") == {}
    made.clear()
    await run_stage(database, stage([Unit("a", "1")], made))
    assert made == []
    await run_stage(database, stage([Unit("a", "2")], made))
    assert made == ["a"]


async def test_rows_and_their_fingerprint_commit_together(database: Database) -> None:
    def broken(_connection: object) -> None:
        raise RuntimeError("killed while writing")

    async def compute(_unit: Unit) -> Computed:
        return Computed(output_hash="x", write=broken)

    try:
        await run_stage(database, Stage("s", "channel", "1", lambda: [Unit("a", "1")], compute))
    except* RuntimeError:
        pass
    with database.begin() as connection:
        assert connection.execute(text("select count(*) from stage_run")).scalar() == 0


async def test_what_a_person_must_mend_stops_the_pass_and_is_said_once(database: Database) -> None:
    async def compute(_unit: Unit) -> Computed:
        raise UserError("0 chunks in the index.", "Build it.")

    units = [Unit("a", "1"), Unit("b", "1")]
    with pytest.raises(UserError, match=r"^0 chunks in the index\. Build it\.$"):
        await run_stage(database, Stage("s", "channel", "1", lambda: units, compute, concurrency=2))


async def test_a_unit_that_another_process_finishes_meanwhile_is_not_written_twice(database: Database) -> None:
    written: list[str] = []

    def stage_of(who: str, *, meanwhile: Stage | None = None) -> Stage:
        async def compute(_unit: Unit) -> Computed:
            if meanwhile:  # it was due when we began, and another one is faster
                await run_stage(database, meanwhile)
            return Computed("same", lambda _connection: written.append(who))

        return Stage("claims", "talks", "1", lambda: [Unit("k", "i")], compute)

    report = await run_stage(database, stage_of("slow", meanwhile=stage_of("fast")))
    assert written == ["fast"]
    assert (report.units, report.errors) == (1, {})
