"""The stage `assertions` of a biography: each row of the coder's answer is one statement."""

from answertrail_pipeline.agents.biographies import read_answer
from answertrail_pipeline.agents.runs import Run
from answertrail_pipeline.gold.biographies.people import load_people
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.judging.assertions import ASSERTIONS_STAGE, ASSERTIONS_VERSION, trail_units
from answertrail_pipeline.judging.judged_trail import load_trail
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import split_key
from answertrail_pipeline.store.rows import replace_rows
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit


def event_assertions_stage(database: Database, run: Run) -> Stage:
    """Return the stage that lists what a run coded, person by person; nothing is asked of a model.

    A unit is `run_key/person`, as in `agent_runs`.
    """

    def units() -> list[Unit]:
        with database.begin() as connection:
            people = load_people(connection, run.channel)
            return [
                Unit(key, fingerprint(trail), blocked)
                for key, trail, blocked in trail_units(connection, run)
                if split_key(key)[-1] in people
            ]

    async def compute(unit: Unit) -> Computed:
        question_id = split_key(unit.key)[-1]
        where = {"run_key": run.run_key, "question_id": question_id}
        with database.begin() as connection:
            name = load_people(connection, run.channel)[question_id].name
            answer = load_trail(connection, run.run_key, question_id).answer
        rows = [
            {
                **where,
                "ordinal": ordinal,
                "text": coded.event().sentence(name),
                "cited_chunk_ids": list(coded.chunk_ids),
            }
            for ordinal, coded in enumerate(read_answer(answer).events, 1)
        ]
        return Computed(
            fingerprint(rows),
            lambda connection: replace_rows(connection, "assertions", where, rows),
            counts={"assertions": len(rows), "cited": sum(bool(row["cited_chunk_ids"]) for row in rows)},
        )

    return Stage(ASSERTIONS_STAGE, run.channel, ASSERTIONS_VERSION, units, compute)
