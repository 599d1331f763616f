"""The items of `answertrail check-model`: sound in themselves, and put to the rules and to a scripted model."""

from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.dry import DryDoor
from answertrail_pipeline.settings import ModelsSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.tasks.check_model.check import (
    ITEMS,
    RULES_ONLY,
    check_task,
    plan_check,
    store_check,
    tasks_to_check,
)
from answertrail_pipeline.tasks.check_model.items import passages, says
from answertrail_pipeline.tasks.judge import JUDGE
from answertrail_pipeline.tasks.registry import all_tasks
from answertrail_pipeline_tests.models.server import Call, Reply, ScriptedServer
from answertrail_pipeline_tests.models.test_door import settings

# What the rules get right, exactly: what every model must beat, and what no change may lose.
FLOOR = {
    "assertions": 30,
    "code_events": 4,
    "compose_factual": 30,
    "compose_longitudinal": 22,
    "extract_claims": 28,
    "focus_search": 20,
    "ground_question": 30,
    "judge": 24,
    "judge_batch": 14,
    "miss_kind": 27,
    "next_step": 30,
    "plan_gaps": 30,
    "plan_searches": 30,
    "select_claims": 29,
    "write_answer": 30,
    "write_nuggets": 30,
}


def test_every_task_has_about_30_items_and_those_that_find_things_have_controls() -> None:
    assert set(ITEMS) == {task.name for task in all_tasks()}
    for name, items in ITEMS.items():
        made = items()
        assert len(made) == 30, name
        if name not in ("judge_batch", "miss_kind", "plan_searches", "write_nuggets"):
            assert 6 <= sum(item.control for item in made) <= 15, name
        assert [item.given for item in made] == [item.given for item in items()], name


def test_the_passages_hold_their_answers_and_the_questions_do_not() -> None:
    for one in passages():
        assert says(one.passage, one.answer), one.subject
        assert says(one.claim, one.answer), one.subject
        assert not says(one.question, one.answer), one.subject
        assert one.subject in one.passage
        assert one.subject in one.claim
        assert one.subject in one.question
        assert one.wrong != one.claim


def test_a_number_must_stand_alone() -> None:
    assert says("after 9 minutes", "9")
    assert not says("after 19 minutes", "9")
    assert says("19 and 9", "9")


async def test_the_rules_pass_through_for_free_and_their_floor_is_known(
    database: Database, tmp_path: Path
) -> None:
    door = Door(database, settings(tmp_path))
    work = tasks_to_check(ModelsSettings(), "baseline")
    checks = {task.name: await check_task(door, task, role) for task, role in work}
    await door.close()
    assert checks.keys() == FLOOR.keys()
    lost = {name: check.right for name, check in checks.items() if check.right < FLOOR[name]}
    assert lost == {}
    assert checks["judge"].kappa is not None
    # observed 24/30; expected 0.5, half of the items being HIT: kappa = (0.8 - 0.5) / 0.5
    assert checks["judge"].kappa >= 0.6 - 1e-9
    assert all(check.cost_usd == 0 for check in checks.values())


async def test_a_model_is_checked_after_its_price_was_shown(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    role = scripted_server.role(timeout_seconds=60)
    dry = DryDoor(database, settings(tmp_path))
    work = tasks_to_check(ModelsSettings(judge=role), role.model, ["judge"])
    assert work == [(JUDGE, role)]
    planned = await plan_check(dry, work)
    await dry.close()
    assert len(planned) == 30
    assert scripted_server.calls == []

    # Right on every HIT (15) and on every second MISS: 7 of the 15 misses come out wrong.
    items = ITEMS["judge"]()
    misses = [number for number, item in enumerate(items) if item.label == "MISS"]
    wrong = set(misses[1::2])

    def rule(call: Call) -> Reply:
        [number] = [number for number, item in enumerate(items) if call.last_user == JUDGE.render(item.given)]
        label = "HIT" if number in wrong else items[number].label
        return Reply({"label": label, "reason": "r", "detail": None})

    scripted_server.rule = rule
    door = Door(database, settings(tmp_path))
    check = await check_task(door, JUDGE, role)
    await door.close()
    assert len(scripted_server.calls) == 30
    assert (check.items, check.right, check.controls, check.right_controls) == (30, 23, 15, 8)
    # observed 23/30; expected (15 x 22 + 15 x 8) / 900 = 0.5; kappa = (0.76667 - 0.5) / 0.5
    assert check.kappa == pytest.approx(0.53333, abs=1e-5)
    assert not check.passed
    with database.begin() as connection:
        store_check(connection, check, role)
        [stored] = connection.execute(text("select * from model_checks")).all()
    assert (stored.task, stored.model, stored.right_items, stored.items) == ("judge", role.model, 23, 30)
    assert stored.prompt_hash == JUDGE.prompt_hash


def test_a_model_is_not_asked_for_work_it_does_by_tools() -> None:
    asked = {task.name for task, _ in tasks_to_check(ModelsSettings(), "gpt-5.4")}
    assert asked == set(ITEMS) - set(RULES_ONLY)


def test_an_unknown_task_is_named() -> None:
    with pytest.raises(UserError, match="juge"):
        tasks_to_check(ModelsSettings(), "baseline", ["juge"])
