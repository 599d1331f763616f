"""The one door: every piece of model work passes here and leaves a row in the ledger."""

from collections.abc import Callable
from typing import TypeVar

from psycopg.types.json import Jsonb
from pydantic import BaseModel

from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)


class Door:
    """Calls models for one project. Owned by one event loop; closed by its owner."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.database = database
        self.settings = settings

    def by_rules(
        self,
        task: str,
        version: str,
        prompt_hash: str,
        given: In,
        rules: Callable[[In], Out],
        account: Account,
    ) -> tuple[Out, str]:
        """Have a task done by its rules and record it like any other call, at no cost."""
        request = given.model_dump(mode="json")
        call_key = fingerprint("baseline", task, version, prompt_hash, request)
        output = rules(given)
        row = {
            "call_key": call_key,
            "channel": account.channel,
            "task": task,
            "task_version": version,
            "model": "baseline",
            "prompt_hash": prompt_hash,
            "stage": account.stage,
            "unit_key": account.unit_key,
            "run_key": account.run_key,
            "state": "done",
            "request": Jsonb(request),
            "reply": Jsonb(output.model_dump(mode="json")),
            "finish_reason": "stop",
            "cost_usd": 0,
        }
        with self.database.begin() as connection:
            insert_rows(connection, "model_calls", [row], skip_existing=True)
        return output, call_key
