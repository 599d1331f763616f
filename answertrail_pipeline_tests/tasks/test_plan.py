"""The plan: a rehearsal sees exactly the calls that the run then makes."""

import asyncio
from decimal import Decimal
from pathlib import Path

from sqlalchemy import text

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.dry import DryDoor, plan_stage
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import BudgetSettings, ModelRole
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit, run_stage
from answertrail_pipeline.tasks.run_task import run_task
from answertrail_pipeline_tests.models.server import Reply, ScriptedServer
from answertrail_pipeline_tests.models.test_door import PRICE, settings
from answertrail_pipeline_tests.tasks.test_run_task import GOOD, TASK, Pair


def stage_of(door: Door, role: ModelRole, texts: dict[str, list[str]]) -> Stage:
    """A stage whose units make several calls each, one after the other and together."""

    async def compute(unit: Unit) -> Computed:
        account = Account("talks", "judged", unit.key)
        first, *rest = texts[unit.key]
        done = [await run_task(door, TASK, Pair(claim="c", text=first), role, account)]
        others = [run_task(door, TASK, Pair(claim="c", text=one), role, account) for one in rest]
        done += await asyncio.gather(*others)
        return Computed(",".join(one.output.label for one in done), lambda _connection: None)

    units = [Unit(key, str(words)) for key, words in sorted(texts.items())]
    return Stage("judged", "talks", "1", lambda: units, compute, concurrency=4)


async def test_the_rehearsal_sees_the_calls_that_are_then_made(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    scripted_server.rule = lambda _call: Reply(GOOD, usage=(300, 40))
    role = scripted_server.role(max_output_tokens=100)
    texts = {f"u{n}": [f"{n} one", f"{n} two", "shared"] for n in range(6)}  # 6 x 2 + 1 shared = 13 calls
    configured = settings(tmp_path, budget=BudgetSettings())

    dry = DryDoor(database, configured)
    plan = await plan_stage(dry, stage_of(dry, role, texts))
    await dry.close()
    assert (plan.units, len(plan.calls), plan.unseen) == (6, 13, 0)
    assert scripted_server.calls == []
    with database.begin() as connection:
        assert connection.execute(text("select count(*) from model_calls")).scalar() == 0
        assert connection.execute(text("select count(*) from stage_run")).scalar() == 0

    door = Door(database, configured)
    await run_stage(database, stage_of(door, role, texts))
    await door.close()
    assert len(scripted_server.calls) == len(plan.calls)
    for call in plan.calls:
        assert call.quote.cost.low_usd == call.quote.prompt_tokens * PRICE.input_per_million / 1_000_000
        # 1.3 x the prompt, rounded up, and 100 tokens of output at $20/M
        assert call.quote.cost.high_usd is not None
        assert call.quote.cost.high_usd > Decimal("0.002") + call.quote.cost.low_usd

    dry = DryDoor(database, configured)  # what is done is not planned again; a new unit's stored calls neither
    texts["u7"] = ["shared", "7 one", "7 two"]
    plan = await plan_stage(dry, stage_of(dry, role, texts))
    await dry.close()
    assert (plan.units, len(plan.calls)) == (1, 2)


async def test_an_unknown_price_is_unknown_and_never_nothing(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    dry = DryDoor(database, settings(tmp_path, prices={}))
    plan = await plan_stage(dry, stage_of(dry, scripted_server.role(), {"u": ["a"]}))
    await dry.close()
    [call] = plan.calls
    assert (call.quote.cost.low_usd, call.quote.cost.high_usd) == (None, None)
    assert call.quote.prompt_tokens > 0


async def test_rules_make_no_call(database: Database, tmp_path: Path) -> None:
    dry = DryDoor(database, settings(tmp_path))
    plan = await plan_stage(dry, stage_of(dry, ModelRole(), {"u": ["a", "b"]}))
    await dry.close()
    assert (plan.units, plan.calls) == (1, ())
