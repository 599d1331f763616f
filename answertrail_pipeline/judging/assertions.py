"""The stage `assertions`: each finished trail's answer cut into statements that could be checked."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, text

from answertrail_pipeline.agents.runs import AGENT_RUNS, Run
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.judging.judged_trail import load_trail
from answertrail_pipeline.judging.judges import shapes_replies
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import split_key
from answertrail_pipeline.store.rows import replace_rows
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit
from answertrail_pipeline.tasks.assertions import ASSERTIONS, Assertion, AssertionsInput
from answertrail_pipeline.tasks.run_task import run_task

ASSERTIONS_STAGE = "assertions"
ASSERTIONS_VERSION = "2"


def assertions_stage(database: Database, door: Door, settings: Settings, run: Run) -> Stage:
    """Return the stage that cuts the answers of one run; a unit is `run_key/question_id`, as in `agent_runs`."""
    role = settings.models.assertions
    made_by = [ASSERTIONS.prompt_hash, shapes_replies(role)]

    def units() -> list[Unit]:
        with database.begin() as connection:
            trails = trail_units(connection, run)
        return [Unit(key, fingerprint(output_hash, made_by), blocked) for key, output_hash, blocked in trails]

    async def compute(unit: Unit) -> Computed:
        question_id = split_key(unit.key)[-1]
        with database.begin() as connection:
            trail = load_trail(connection, run.run_key, question_id)
        found: Sequence[Assertion] = ()
        if not trail.is_empty:
            given = AssertionsInput(
                question=trail.question,
                answer=trail.answer,
                citations=trail.citations,
                language=run.whole_arm.language,
            )
            account = Account(run.channel, ASSERTIONS_STAGE, unit.key, run.run_key, run.arm)
            found = (await run_task(door, ASSERTIONS, given, role, account)).output.assertions
        rows = [_row(run.run_key, question_id, ordinal, one) for ordinal, one in enumerate(found, 1)]
        return Computed(
            fingerprint([[one.text, list(one.cited_chunk_ids)] for one in found]),
            lambda connection: replace_rows(
                connection, "assertions", {"run_key": run.run_key, "question_id": question_id}, rows
            ),
            counts={"assertions": len(found), "cited": sum(bool(one.cited_chunk_ids) for one in found)},
        )

    return Stage(
        ASSERTIONS_STAGE, run.channel, ASSERTIONS_VERSION, units, compute, settings.models.max_concurrency
    )


def trail_units(connection: Connection, run: Run) -> list[tuple[str, str | None, str | None]]:
    """Return (key, output hash, why it is blocked) of every unit of `agent_runs` of one run, by key."""
    rows = connection.execute(
        text(
            "select key, output_hash, state, reason from stage_run where stage = :stage"
            " and channel = :channel and starts_with(key, :prefix) order by key"
        ),
        {"stage": AGENT_RUNS, "channel": run.channel, "prefix": f"{run.run_key}/"},
    )
    return [
        (row.key, row.output_hash, None)
        if row.state == "done"
        else (row.key, None, f"the trail is {row.state}: {row.reason}")
        for row in rows
    ]


def _row(run_key: str, question_id: str, ordinal: int, made: Assertion) -> dict[str, Any]:
    return {
        "run_key": run_key,
        "question_id": question_id,
        "ordinal": ordinal,
        "text": made.text,
        "cited_chunk_ids": list(made.cited_chunk_ids),
    }
