"""The only way to have a task done: by its rules, or by a model through the door."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Generic

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import ModelRole
from answertrail_pipeline.tasks.task import In, Out, Task


@dataclass(frozen=True)
class Done(Generic[Out]):
    """A task's output with where it came from."""

    output: Out
    model: str
    prompt_hash: str
    call_key: str
    cost_usd: Decimal | None


async def run_task(door: Door, task: Task[In, Out], given: In, role: ModelRole, account: Account) -> Done[Out]:
    """Have a task done in a role and return its checked output.

    The same task, input and role is answered from the ledger and never paid twice.

    Raises:
        ModelError: no output could be had; its code says why (`truncated`, `refused`, `schema`, `timeout`, ...).
    """
    output, call_key = door.by_rules(task.name, task.version, task.prompt_hash, given, task.baseline, account)
    return Done(output, role.model, task.prompt_hash, call_key, Decimal(0))
