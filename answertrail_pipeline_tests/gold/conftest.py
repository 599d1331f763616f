"""A channel whose chunks are done, for the stages that make gold of them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.gold.channel import make_settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return make_settings(tmp_path)


@pytest_asyncio.fixture
async def door(database: Database, settings: Settings) -> AsyncIterator[Door]:
    door = Door(database, settings)
    yield door
    await door.close()
