"""A process that asks a scripted server many things through the door; tests kill it at random moments."""

import asyncio
import os
from pathlib import Path

from sqlalchemy import make_url

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account, ChatRequest, Message
from answertrail_pipeline.settings import ModelRole
from answertrail_pipeline.store.database import Database, make_engine
from answertrail_pipeline_tests.models.server import PLANTED_KEY
from answertrail_pipeline_tests.models.test_door import settings


def work(database_url: str, server_url: str, calls: int, lease_seconds: float) -> None:
    """Ask `calls` different things."""
    os.environ["OPENAI_API_KEY"] = PLANTED_KEY
    url = make_url(database_url)
    asyncio.run(_ask_all(Database(make_engine(url), url), server_url, calls, lease_seconds))


async def _ask_all(database: Database, server_url: str, calls: int, lease_seconds: float) -> None:
    door = Door(database, settings(Path(), max_concurrency=32), lease_seconds=lease_seconds)
    role = ModelRole(model="openai/scripted", api_base=server_url, timeout_seconds=30)

    async def ask(number: int) -> None:
        request = ChatRequest(role=role, messages=(Message(role="user", content=str(number)),))
        account = Account("talks", "claims", str(number))
        await door.chat(request, account, task="t", task_version="1", prompt_hash="p")

    await asyncio.gather(*(ask(number) for number in range(calls)))
    await door.close()
