from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.agents import little


@pytest_asyncio.fixture
async def door(database: Database, tmp_path: Path) -> AsyncIterator[Door]:
    """A door over a database that holds the little corpus."""
    little.store_corpus(database)
    door = Door(database, little.settings(tmp_path))
    yield door
    await door.close()
