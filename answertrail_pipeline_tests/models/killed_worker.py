"""A process that asks a scripted server many things through the door; tests kill it at random moments.

Usage: python -m answertrail_pipeline_tests.models.killed_worker DATABASE_URL SERVER_URL CALLS LATENCY_HINT
"""

import asyncio
import os
import sys
from pathlib import Path

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account, ChatRequest, Message
from answertrail_pipeline.settings import ModelRole
from answertrail_pipeline.store.database import Database, make_engine
from answertrail_pipeline_tests.models.server import PLANTED_KEY
from answertrail_pipeline_tests.models.test_door import settings

LEASE_SECONDS = 1.0


async def work(database: Database, server_url: str, calls: int) -> None:
    door = Door(database, settings(Path(), max_concurrency=32), lease_seconds=LEASE_SECONDS)
    role = ModelRole(model="openai/scripted", api_base=server_url, timeout_seconds=10)

    async def ask(number: int) -> None:
        request = ChatRequest(role=role, messages=(Message(role="user", content=str(number)),))
        account = Account("talks", "claims", str(number))
        await door.chat(request, account, task="t", task_version="1", prompt_hash="p")

    await asyncio.gather(*(ask(number) for number in range(calls)))
    await door.close()


if __name__ == "__main__":
    from sqlalchemy import make_url

    os.environ["OPENAI_API_KEY"] = PLANTED_KEY
    url = make_url(sys.argv[1])
    asyncio.run(work(Database(make_engine(url), url), sys.argv[2], int(sys.argv[3])))
