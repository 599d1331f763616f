"""One task through rules and through a scripted model: the reply contract, its one repair, and its provenance."""

from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path
from typing import Literal

import pytest
import pytest_asyncio
from pydantic import BaseModel
from sqlalchemy import text

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.errors import ModelError
from answertrail_pipeline.settings import ModelRole
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.tasks import task as task_module
from answertrail_pipeline.tasks.fence import FENCE_RULE, fence
from answertrail_pipeline.tasks.run_task import run_task
from answertrail_pipeline.tasks.task import Task
from answertrail_pipeline_tests.models.server import Failure, Reply, ScriptedServer
from answertrail_pipeline_tests.models.test_door import ACCOUNT, settings


class Pair(BaseModel):
    claim: str
    text: str


class Word(BaseModel):
    label: Literal["HIT", "MISS"]
    reason: str


class Demonstration(Task[Pair, Word]):
    """A task whose prompt needs no file."""

    system_prompt = "Say whether the text supports the claim."


TASK = Demonstration(
    name="demonstration",
    version="1",
    input_type=Pair,
    output_type=Word,
    render=lambda given: f"{fence(given.text)}\nClaim: {given.claim}",
    baseline=lambda given: Word(label="HIT" if given.claim in given.text else "MISS", reason="by words"),
    check=lambda _given, made: ["the reason is empty"] if not made.reason else [],
)
GIVEN = Pair(claim="it rains", text="it rains a lot")
GOOD = {"label": "MISS", "reason": "no"}


@pytest_asyncio.fixture
async def door(database: Database, tmp_path: Path) -> AsyncIterator[Door]:
    door = Door(database, settings(tmp_path))
    yield door
    await door.close()


async def test_rules_pass_the_same_ledger(door: Door, database: Database) -> None:
    done = await run_task(door, TASK, GIVEN, ModelRole(), ACCOUNT)
    again = await run_task(door, TASK, GIVEN, ModelRole(), ACCOUNT)
    assert done.output == Word(label="HIT", reason="by words")
    assert (done.cost_usd, done.model, again.call_key) == (0, "baseline", done.call_key)
    with database.begin() as connection:
        [row] = connection.execute(text("select * from model_calls")).all()
    assert (row.call_key, row.kind, row.state, row.task, row.cost_usd) == (
        done.call_key,
        "rules",
        "done",
        "demonstration",
        0,
    )
    assert row.request == GIVEN.model_dump()
    assert row.reply == done.output.model_dump()


async def test_a_good_reply_takes_one_call(door: Door, scripted_server: ScriptedServer) -> None:
    scripted_server.replies(Reply(GOOD, usage=(100, 50)))
    done = await run_task(door, TASK, GIVEN, scripted_server.role(), ACCOUNT)
    assert done.output == Word(**GOOD)
    assert done.cost_usd == Decimal("0.002")  # 100 x $10/M + 50 x $20/M
    [call] = scripted_server.calls
    assert TASK.system_prompt in call.system
    assert FENCE_RULE in call.system
    assert '"enum": ["HIT", "MISS"]' in call.system
    assert call.last_user == f"{fence(GIVEN.text)}\nClaim: it rains"


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("There are 5 reasons to say HIT.", "No JSON object"),
        ({"label": "PARTIAL", "reason": "r"}, "label"),
        ({"label": "HIT", "reason": ""}, "the reason is empty"),
        (None, "No JSON object"),
    ],
    ids=str,
)
async def test_a_bad_reply_is_shown_to_the_model_once(
    door: Door, scripted_server: ScriptedServer, bad: object, told: str
) -> None:
    scripted_server.replies(Reply(bad, usage=(100, 0)), Reply(GOOD, usage=(200, 0)))
    done = await run_task(door, TASK, GIVEN, scripted_server.role(), ACCOUNT)
    assert done.output == Word(**GOOD)
    assert len(done.raw_replies) == 2
    assert done.cost_usd == Decimal("0.003")  # 100 and 200 tokens at $10/M
    first, second = scripted_server.calls
    assert second.messages[:2] == first.messages
    assert [message["role"] for message in second.messages[2:]] == ["assistant", "user"]
    assert told in second.last_user


async def test_a_second_bad_reply_ends_it_with_both_kept_and_nothing_paid_again(
    door: Door, scripted_server: ScriptedServer
) -> None:
    scripted_server.rule = lambda _call: Reply("9 of 10, a clear HIT.")
    for _ in range(2):
        with pytest.raises(ModelError) as caught:
            await run_task(door, TASK, GIVEN, scripted_server.role(), ACCOUNT)
        assert caught.value.code == "no_valid_object"
        assert caught.value.raw_replies == ("9 of 10, a clear HIT.",) * 2
    assert len(scripted_server.calls) == 2


@pytest.mark.parametrize("finish", ["length", "content_filter"])
async def test_a_cut_off_or_declined_reply_is_not_repaired(
    door: Door, scripted_server: ScriptedServer, finish: str
) -> None:
    scripted_server.replies(Reply(GOOD, finish_reason=finish))
    with pytest.raises(ModelError) as caught:
        await run_task(door, TASK, GIVEN, scripted_server.role(), ACCOUNT)
    assert caught.value.code == {"length": "truncated", "content_filter": "refused"}[finish]
    assert len(caught.value.raw_replies) == 1
    assert len(scripted_server.calls) == 1


async def test_a_repair_that_fails_keeps_the_first_reply(door: Door, scripted_server: ScriptedServer) -> None:
    scripted_server.replies(Reply("prose"), Failure(400, "no"))
    with pytest.raises(ModelError) as caught:
        await run_task(door, TASK, GIVEN, scripted_server.role(), ACCOUNT)
    assert (caught.value.code, caught.value.raw_replies) == ("permanent", ("prose",))


def test_the_prompt_hash_covers_all_that_shapes_a_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    def like(version: str = "1", output_type: type[BaseModel] = Word) -> Demonstration:
        return Demonstration("demonstration", version, Pair, output_type, TASK.render, TASK.baseline)  # type: ignore[arg-type]

    class Other(BaseModel):
        label: Literal["HIT", "MISS"]

    class OtherPrompt(Demonstration):
        system_prompt = "Another prompt."

    hashes = {like().prompt_hash, like("2").prompt_hash, like(output_type=Other).prompt_hash}
    hashes.add(OtherPrompt("demonstration", "1", Pair, Word, TASK.render, TASK.baseline).prompt_hash)
    assert TASK.prompt_hash in hashes
    assert len(hashes) == 4
    monkeypatch.setattr(task_module, "FENCE_RULE", "another rule")
    assert like().prompt_hash not in hashes
