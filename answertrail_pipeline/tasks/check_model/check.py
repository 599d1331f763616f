"""Puts a model, or the rules, to the items and keeps what came out."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.dry import DryDoor, PlannedCall
from answertrail_pipeline.models.errors import ModelError
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import ModelRole, ModelsSettings
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.tasks.check_model import agent_items, biography_items, gold_items, judging_items
from answertrail_pipeline.tasks.check_model.items import Item
from answertrail_pipeline.tasks.registry import all_tasks
from answertrail_pipeline.tasks.run_task import run_task
from answertrail_pipeline.tasks.task import Task

ITEMS: Final[Mapping[str, Callable[[], list[Item]]]] = {
    "assertions": judging_items.assertions_items,
    "code_events": biography_items.code_events_items,
    "compose_factual": gold_items.compose_factual_items,
    "compose_longitudinal": gold_items.compose_longitudinal_items,
    "extract_claims": gold_items.extract_claims_items,
    "focus_search": biography_items.focus_search_items,
    "ground_question": gold_items.ground_question_items,
    "judge": judging_items.judge_items,
    "judge_batch": judging_items.judge_batch_items,
    "miss_kind": judging_items.miss_kind_items,
    "next_step": agent_items.next_step_items,
    "plan_gaps": biography_items.plan_gaps_items,
    "plan_searches": agent_items.plan_searches_items,
    "select_claims": gold_items.select_claims_items,
    "write_answer": agent_items.write_answer_items,
    "write_nuggets": gold_items.write_nuggets_items,
}
ROLES: Final[Mapping[str, str]] = {
    "assertions": "assertions",
    "compose_factual": "compose",
    "compose_longitudinal": "compose",
    "extract_claims": "extract",
    "ground_question": "compose",
    "judge": "judge",
    "judge_batch": "judge",
    "miss_kind": "judge",
    "select_claims": "select",
    "write_nuggets": "nuggets",
}
"""The role of `[models]` in which a task is done; `agent` for every other."""
RULES_ONLY: Final = ("next_step",)
"""A model does this work by calling tools in a conversation, which no single reply can show."""
PASS_SHARE: Final = 0.9
"""Share of right items from which a task passes."""


@dataclass(frozen=True)
class TaskCheck:
    """What became of one task's items.

    Attributes:
        problems: what was wrong, by the number of the item.
        controls: items in which nothing is to be found, and how many of them were right.
        kappa: agreement with the right labels beyond chance, for tasks that label; None where it is undefined.
        cost_usd: None where the price is unknown.
    """

    task: str
    prompt_hash: str
    items: int
    right: int
    controls: int
    right_controls: int
    problems: Mapping[int, str]
    kappa: float | None
    cost_usd: Decimal | None

    @property
    def passed(self) -> bool:
        """Whether enough items, and enough of the controls alone, were right."""
        return self.right >= PASS_SHARE * self.items and self.right_controls >= PASS_SHARE * self.controls


def tasks_to_check(
    models: ModelsSettings, model: str, names: Sequence[str] = ()
) -> list[tuple[Task[Any, Any], ModelRole]]:
    """Return the tasks that have items, by name, each with the role in which the model does it.

    Args:
        models: where the model has the task's role there, its parameters are taken from it.
        names: only these tasks; all where empty.

    Raises:
        UserError: a name is no task's.
    """
    unknown = sorted(set(names) - ITEMS.keys())
    if unknown:
        raise UserError(f"No task `{unknown[0]}`.", f"Tasks: {', '.join(ITEMS)}.")
    return [
        (task, role_in(models, task, model))
        for task in all_tasks()
        if task.name in ITEMS
        and (model == "baseline" or task.name not in RULES_ONLY)
        and (not names or task.name in names)
    ]


def role_in(models: ModelsSettings, task: Task[Any, Any], model: str) -> ModelRole:
    """Return the role in which a model does a task: the configured one, or the model with default parameters."""
    role: ModelRole = getattr(models, ROLES.get(task.name, "agent"))
    return role if role.model == model else ModelRole(model=model)


async def plan_check(door: DryDoor, work: Sequence[tuple[Task[Any, Any], ModelRole]]) -> list[PlannedCall]:
    """Return the calls that a check would make now, without making any."""
    for task, role in work:
        await check_task(door, task, role)
    return list(door.planned.values())


async def check_task(door: Door, task: Task[Any, Any], role: ModelRole) -> TaskCheck:
    """Have one task's items done in a role; an item without a usable reply is a wrong one.

    Raises:
        ModelError: the model cannot be called at all (a wrong key, no budget).
    """
    items = ITEMS[task.name]()
    done = await asyncio.gather(*(_do(door, task, item, role, number) for number, item in enumerate(items)))
    problems = {number: problem for number, (problem, _, _) in enumerate(done) if problem is not None}
    labels = [(item.label, label) for item, (_, label, _) in zip(items, done, strict=True) if item.label]
    costs = [cost for _, _, cost in done]
    controls = [number for number, item in enumerate(items) if item.control]
    return TaskCheck(
        task=task.name,
        prompt_hash=task.prompt_hash,
        items=len(items),
        right=len(items) - len(problems),
        controls=len(controls),
        right_controls=sum(number not in problems for number in controls),
        problems=problems,
        kappa=_kappa(labels) if labels else None,
        cost_usd=None if None in costs else sum((cost for cost in costs if cost is not None), Decimal(0)),
    )


async def _do(
    door: Door, task: Task[Any, Any], item: Item, role: ModelRole, number: int
) -> tuple[str | None, str | None, Decimal | None]:
    """Return what is wrong with an item's output, its label, and its cost."""
    account = Account(channel="", stage="check-model", unit_key=f"{task.name}/{number}")
    try:
        done = await run_task(door, task, item.given, role, account)
    except ModelError as error:
        if error.code in ("permanent", "budget"):
            raise
        return str(error), None, Decimal(0)
    problems = task.check(item.given, done.output)
    problem = "; ".join(problems) if problems else item.problem(done.output)
    label = getattr(done.output, "label", None) or getattr(done.output, "kind", None)
    return problem, label, done.cost_usd


def _kappa(labels: Sequence[tuple[str | None, str | None]]) -> float | None:
    """Return Cohen's kappa of right and given labels: (observed - expected) / (1 - expected)."""
    total = len(labels)
    observed = sum(right == given for right, given in labels) / total
    rights, givens = Counter(right for right, _ in labels), Counter(given for _, given in labels)
    expected = sum(rights[label] * givens[label] for label in rights) / total**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def store_check(connection: Connection, check: TaskCheck, role: ModelRole) -> None:
    """Keep what a check found, in the place of an earlier one of the same prompt and model.

    The scoreboard's notes tell it wherever the model is used (scoring/notes.py).
    """
    detail = {
        "controls": check.controls,
        "right_controls": check.right_controls,
        "kappa": check.kappa,
        "problems": {str(number): problem for number, problem in check.problems.items()},
    }
    connection.execute(
        text(read_sql("queries/store_model_check.sql")),
        {
            "task": check.task,
            "prompt_hash": check.prompt_hash,
            "model": role.model,
            "config": _config(role),
            "items": check.items,
            "right_items": check.right,
            "detail": Jsonb(detail),
            "cost_usd": check.cost_usd,
        },
    )


def _config(role: ModelRole) -> Jsonb:
    """Return the parameters that can change what a model says, as judges are told apart by."""
    return Jsonb(role.model_dump(mode="json", exclude={"family", "timeout_seconds", "enforce_schema"}))
