"""A door for the rooms that judge."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.judging.stored import settings


@pytest_asyncio.fixture
async def door(database: Database, tmp_path: Path) -> AsyncIterator[Door]:
    door = Door(database, settings(tmp_path))
    yield door
    await door.close()
