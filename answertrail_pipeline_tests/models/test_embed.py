"""Embeddings by a LiteLLM model: in order, in batches, paid once."""

from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio
from sqlalchemy import text

from answertrail_pipeline.models.door import EMBED_BATCH, Door
from answertrail_pipeline.models.errors import ModelError
from answertrail_pipeline.settings import PriceSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.models.server import Failure, Raw, ScriptedServer, vector_of
from answertrail_pipeline_tests.models.test_door import ACCOUNT, settings

PRICE = PriceSettings(input_per_million=Decimal(2))


@pytest_asyncio.fixture
async def door(database: Database, tmp_path: Path) -> AsyncIterator[Door]:
    door = Door(database, settings(tmp_path, prices={"openai/scripted-embedding": PRICE}))
    yield door
    await door.close()


async def test_vectors_come_in_order_and_are_paid_once(
    door: Door, database: Database, scripted_server: ScriptedServer
) -> None:
    texts = [f"text number {n}" for n in range(EMBED_BATCH + 3)]
    vectors = await door.embed(texts, scripted_server.embed_role(), ACCOUNT)
    assert vectors.shape == (EMBED_BATCH + 3, 8)
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors, np.asarray([vector_of(one, 8) for one in texts], np.float32))
    assert sorted(len(call.body["input"]) for call in scripted_server.calls) == [3, EMBED_BATCH]
    again = await door.embed(texts, scripted_server.embed_role(), ACCOUNT)
    np.testing.assert_array_equal(again, vectors)
    assert len(scripted_server.calls) == 2
    with database.begin() as connection:
        cost = connection.execute(text("select sum(cost_usd) from model_calls where kind = 'embed'")).scalar()
    assert cost == Decimal("0.000402")  # 67 texts x 3 words at $2/M


async def test_another_model_purpose_or_dimension_is_another_call(
    door: Door, scripted_server: ScriptedServer
) -> None:
    await door.embed(["a"], scripted_server.embed_role(), ACCOUNT)
    await door.embed(["a"], scripted_server.embed_role(), ACCOUNT, "query")
    await door.embed(["a"], scripted_server.embed_role("openai/text-embedding-3-small", dimensions=8), ACCOUNT)
    await door.embed(["a"], scripted_server.embed_role("openai/other"), ACCOUNT)
    assert len(scripted_server.calls) == 4
    assert scripted_server.calls[2].body["dimensions"] == 8


async def test_no_texts_make_no_call(door: Door, scripted_server: ScriptedServer) -> None:
    assert (await door.embed([], scripted_server.embed_role(), ACCOUNT)).shape == (0, 0)
    assert scripted_server.calls == []


async def test_faults_are_tried_again_and_a_permanent_one_is_named(
    door: Door, scripted_server: ScriptedServer
) -> None:
    too_few = b'{"object": "list", "model": "m", "data": [], "usage": {"prompt_tokens": 1, "total_tokens": 1}}'
    scripted_server.replies(Failure(500), Raw(too_few))
    assert (await door.embed(["a"], scripted_server.embed_role(), ACCOUNT)).shape == (1, 8)
    scripted_server.replies(Failure(404, "no such model"))
    with pytest.raises(ModelError) as caught:
        await door.embed(["b"], scripted_server.embed_role(), ACCOUNT)
    assert caught.value.code == "permanent"
