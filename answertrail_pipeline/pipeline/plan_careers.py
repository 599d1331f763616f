"""What judging careers that are not coded yet would cost: exact for the base, then a range by the past."""

from collections.abc import Sequence
from decimal import Decimal

from sqlalchemy import Row, text

from answertrail_pipeline.agents.runs import list_runs
from answertrail_pipeline.gold.biographies.base import base_events
from answertrail_pipeline.gold.biographies.people import load_people
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.judging.events import EventJudge
from answertrail_pipeline.judging.judges import configured_judge
from answertrail_pipeline.models.dry import DryDoor
from answertrail_pipeline.models.estimate import NOTHING, CostRange
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.pipeline.planned import Planned
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.store.shipped import read_sql

ENOUGH = 10
"""Careers that were judged before, and that are to be judged, for the past to speak for them."""


async def plan_careers(project: Project, door: DryDoor, channel: str, arms: Sequence[Planned]) -> list[Planned]:
    """Return what judging would cost of the careers that arms are still to be asked for; nothing by rules.

    Which events of the base the reference tells can be rehearsed now. How many events an arm will code cannot: a
    career costs what the cheapest and the dearest did before, or nothing where all its pairs were judged already.

    Args:
        project: with `door` in place of its own.
        arms: lines of the plan; those of biography arms with something to ask are counted.
    """
    of_careers = {f"arm {name}" for name, arm in project.settings.arms.items() if arm.agent == "biography"}
    asked = sum(line.units or 0 for line in arms if line.what in of_careers)
    judge = configured_judge(project.settings)
    if not asked or all(member.role.is_baseline for member in judge.members):
        return []
    return [await _plan_base(project, door, channel), _plan_coded(project, channel, asked)]


async def _plan_base(project: Project, door: DryDoor, channel: str) -> Planned:
    """Rehearse the judge's words on the base: every arm shares them."""
    gold = load_gold(project.database, channel)
    with project.database.begin() as connection:
        people = load_people(connection, channel)
    before = set(door.planned)
    account = Account(channel, "verdicts", "base")
    asker = EventJudge(project.database, door, configured_judge(project.settings), account)
    questions = [each for each in gold.questions if each.question_id in people] if gold else []
    for question in questions:
        for event in base_events(question):
            await asker.coverage(people[question.question_id], event.event)
    calls = [call for key, call in door.planned.items() if key not in before]
    cost = sum((call.quote.cost for call in calls), NOTHING)
    return Planned(channel, "judge: base", len(questions), len(calls), cost, "does the reference tell it already")


def _plan_coded(project: Project, channel: str, asked: int) -> Planned:
    past = _past(project, channel)
    what = "judge: careers to code"
    if len(past) < ENOUGH or asked < ENOUGH:
        why = f"hangs on the events that are coded; priced once {ENOUGH} careers were judged"
        return Planned(channel, what, None, None, NOTHING, why)
    if any(row.unpriced for row in past):
        cost = CostRange(None, None)
    else:
        cost = CostRange(Decimal(0), asked * max(row.dollars for row in past))
    return Planned(channel, what, asked, None, cost, f"each as the dearest of {len(past)} before at most")


def _past(project: Project, channel: str) -> Sequence[Row[tuple[str, int, Decimal | None, bool]]]:
    runs = sorted(run.run_key for run in list_runs(project.database, channel) if run.is_biography)
    models = sorted({member.role.model for member in configured_judge(project.settings).members})
    given = {"channel": channel, "runs": runs, "models": models}
    with project.database.begin() as connection:
        return connection.execute(text(read_sql("queries/past_careers.sql")), given).all()
