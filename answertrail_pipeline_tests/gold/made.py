"""A channel with a proposal that a person can decide on."""

from typing import Any

from answertrail_pipeline.gold.nuggets import nuggets_stage
from answertrail_pipeline.gold.questions import questions_stage
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import StageReport, run_stage
from answertrail_pipeline_tests.gold.channel import CHANNEL, make_claims, make_threads_of, put_video, rows

PRICES = [("a", "2025-01-10", 240), ("b", "2025-05-20", 260), ("c", "2025-09-30", 310)]


def put_pottery(database: Database) -> None:
    """Three videos on one topic whose price moves, and an amount that can be asked for in each."""
    for video, day, price in PRICES:
        said = f"The kiln rent is {price} dollars a month now, much more than before. We paid the kiln rent late."
        other = f"The Harwick studio sold {price + 700} mugs last season because the Harwick market is bigger."
        put_video(database, video, day, [said, other])


async def propose(database: Database, door: Door, settings: Settings) -> StageReport:
    await make_claims(database, door, settings)
    await make_threads_of(database, settings)
    return await run_stage(database, questions_stage(database, door, CHANNEL, settings))


async def write_nuggets(database: Database, door: Door, settings: Settings) -> StageReport:
    return await run_stage(database, nuggets_stage(database, door, CHANNEL, settings))


def questions(database: Database, **where: str) -> list[Any]:
    found = rows(database, "select * from questions where channel = :channel order by unit_key, question_id")
    return [row for row in found if all(row[name] == value for name, value in where.items())]


def nuggets(database: Database) -> list[Any]:
    return rows(database, "select * from nuggets where channel = :channel order by question_id, nugget_id")
