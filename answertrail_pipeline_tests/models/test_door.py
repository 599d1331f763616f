"""The door against the scripted server: what is paid, what is kept, what fails and how."""

import asyncio
import json
from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import text

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.errors import ModelError
from answertrail_pipeline.models.types import Account, ChatReply, ChatRequest, Message, Tool
from answertrail_pipeline.settings import (
    BudgetSettings,
    FileSettings,
    ModelsSettings,
    PriceSettings,
    Settings,
)
from answertrail_pipeline.store.database import Database, DatabaseLostError
from answertrail_pipeline_tests.conftest import cut_others
from answertrail_pipeline_tests.models.server import PLANTED_KEY, Call, Failure, Raw, Reply, Reset, ScriptedServer

ACCOUNT = Account(channel="talks", stage="claims", unit_key="talks/v1", run_key=None)
PRICE = PriceSettings(input_per_million=Decimal(10), output_per_million=Decimal(20))


def settings(tmp_path: Path, *, budget: BudgetSettings | None = None, **models: Any) -> Settings:
    prices = models.pop("prices", {"openai/scripted": PRICE})
    parsed = FileSettings(
        models=ModelsSettings(prices=prices, **models), budget=budget or BudgetSettings(), data_dir=tmp_path
    )
    values = {name: getattr(parsed, name) for name in FileSettings.model_fields}
    return Settings.model_construct(**values, root=tmp_path, database_url=None)


@pytest_asyncio.fixture
async def door(database: Database, tmp_path: Path) -> AsyncIterator[Door]:
    door = Door(database, settings(tmp_path))
    yield door
    await door.close()


def request(server: ScriptedServer, said: str = "hello", **fields: Any) -> ChatRequest:
    role = server.role(**fields.pop("role", {}))
    return ChatRequest(role=role, messages=(Message(role="user", content=said),), **fields)


async def ask(door: Door, request: ChatRequest, account: Account = ACCOUNT) -> ChatReply:
    return await door.chat(request, account, task="t", task_version="1", prompt_hash="p")


async def calls_arrive(server: ScriptedServer, count: int) -> None:
    while len(server.calls) < count:  # noqa: ASYNC110  # the server runs in another thread
        await asyncio.sleep(0.01)


def rows(database: Database) -> list[Any]:
    with database.begin() as connection:
        return list(connection.execute(text("select * from model_calls order by started_at, call_key")))


async def test_the_same_request_is_paid_once(
    door: Door, database: Database, scripted_server: ScriptedServer
) -> None:
    scripted_server.rule = lambda _call: Reply("hi", usage=(1000, 500), cached_tokens=200, reasoning_tokens=100)
    first = await ask(door, request(scripted_server))
    again = await ask(door, request(scripted_server))
    assert (first.content, first.from_ledger) == ("hi", False)
    assert (again.content, again.from_ledger, again.usage) == ("hi", True, first.usage)
    assert len(scripted_server.calls) == 1
    [row] = rows(database)
    assert (row.state, row.tries, row.prompt_tokens, row.cached_tokens) == ("done", 1, 1000, 200)
    assert (row.completion_tokens, row.reasoning_tokens) == (500, 100)
    # 1000 x $10/M + 500 x $20/M = 0.01 + 0.01
    assert row.cost_usd == first.cost_usd == Decimal("0.02")
    assert row.request["messages"][0]["content"] == "hello"


async def test_what_can_change_a_reply_is_in_the_key_and_nothing_else(
    door: Door, scripted_server: ScriptedServer
) -> None:
    await ask(door, request(scripted_server))
    for same in ({"timeout_seconds": 4.0}, {"family": "openai"}):
        await ask(door, request(scripted_server, role=same))
    assert len(scripted_server.calls) == 1
    changed: list[dict[str, Any]] = [
        {"role": {"temperature": 0.5}},
        {"role": {"max_output_tokens": 17}},
        {"role": {"reasoning_effort": "low"}},
        {"role": {"enforce_schema": True}},
        {"role": {"model": "openai/another"}},
        {"salt": "r2e1"},
        {"salt": "r3e1"},
        {"tools": (Tool(name="search", description="d", parameters={"type": "object", "properties": {}}),)},
        {"response_schema": {"type": "object"}},
        {"said": "other"},
    ]
    for number, change in enumerate(changed, start=2):
        reply = await ask(door, request(scripted_server, **change))
        assert not reply.from_ledger
        assert len(scripted_server.calls) == number, change


async def test_two_askers_at_once_make_one_call(door: Door, scripted_server: ScriptedServer) -> None:
    scripted_server.latency = 0.1
    replies = await asyncio.gather(*(ask(door, request(scripted_server)) for _ in range(20)))
    assert {reply.content for reply in replies} == {"ok"}
    assert len(scripted_server.calls) == 1
    assert sum(not reply.from_ledger for reply in replies) == 1


async def test_a_second_door_after_a_closed_one_needs_one_try(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    for said in ("a", "b"):
        door = Door(database, settings(tmp_path))
        await ask(door, request(scripted_server, said, role={"timeout_seconds": 60}))
        await door.close()
    assert [(row.tries, row.lost_usd) for row in rows(database)] == [(1, 0), (1, 0)]


async def test_two_doors_at_once_make_each_call_once(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    scripted_server.latency = 0.05
    scripted_server.rule = lambda call: Reply(call.last_user)
    doors = [Door(database, settings(tmp_path)) for _ in range(2)]
    said = [f"message {number}" for number in range(40)]
    try:
        replies = await asyncio.gather(
            *(ask(door, request(scripted_server, one)) for door in doors for one in said)
        )
    finally:
        for door in doors:
            await door.close()
    assert [reply.content for reply in replies] == said * 2
    assert sorted(call.last_user for call in scripted_server.calls) == sorted(said)


async def test_tools_and_their_calls_go_both_ways(door: Door, scripted_server: ScriptedServer) -> None:
    scripted_server.replies(Reply(tool_calls=[("search", {"query": "a"}), ("search", '{"query": ')]))
    tool = Tool(name="search", description="Search.", parameters={"type": "object", "properties": {}})
    reply = await ask(door, request(scripted_server, tools=(tool,), tool_choice="required"))
    assert reply.finish_reason == "tool_calls"
    assert [(call.id, call.name, call.arguments) for call in reply.tool_calls] == [
        ("call_0", "search", '{"query": "a"}'),
        ("call_1", "search", '{"query": '),
    ]
    sent = scripted_server.calls[0].body
    assert sent["tools"][0]["function"]["name"] == "search"
    assert sent["tool_choice"] == "required"
    messages = (
        Message(role="user", content="hello"),
        Message(role="assistant", tool_calls=reply.tool_calls[:1]),
        Message(role="tool", content="found", tool_call_id="call_0"),
    )
    await ask(door, ChatRequest(role=scripted_server.role(), messages=messages, tools=(tool,)))
    assert scripted_server.calls[1].messages[1]["tool_calls"][0]["function"]["arguments"] == '{"query": "a"}'
    assert scripted_server.calls[1].messages[2]["tool_call_id"] == "call_0"


async def test_a_schema_is_enforced_where_the_provider_can(door: Door, scripted_server: ScriptedServer) -> None:
    schema = {"type": "object", "properties": {"label": {"type": "string", "default": "x", "title": "Label"}}}
    await ask(door, request(scripted_server, response_schema=schema, role={"enforce_schema": True}))
    sent = scripted_server.calls[0].body["response_format"]
    assert sent["type"] == "json_schema"
    assert sent["json_schema"]["strict"] is True
    assert sent["json_schema"]["schema"] == {
        "type": "object",
        "properties": {"label": {"type": "string"}},
        "additionalProperties": False,
        "required": ["label"],
    }
    await ask(door, request(scripted_server, "b", response_schema=schema, role={"enforce_schema": False}))
    assert "response_format" not in scripted_server.calls[1].body


@pytest.mark.parametrize(
    "trouble",
    [
        Failure(429, retry_after="0.2"),
        Failure(500),
        Failure(503),
        Failure(529),
        Failure(408),
        Reset(),
        Raw(b"{not json"),
        Raw(b'{"some": "other shape"}'),
        Raw(b""),
        Reply("late", seconds=3.0),
        Reply("drips", drip=5.0),
    ],
    ids=str,
)
async def test_what_may_pass_is_tried_again(
    door: Door, database: Database, scripted_server: ScriptedServer, trouble: Any
) -> None:
    scripted_server.replies(trouble, Reply("good"))
    reply = await ask(door, request(scripted_server, role={"timeout_seconds": 1.0}))
    assert reply.content == "good"
    [row] = rows(database)
    assert (row.state, row.tries) == ("done", 2)


async def test_retry_after_is_honoured(door: Door, scripted_server: ScriptedServer) -> None:
    scripted_server.replies(Failure(429, retry_after="1"), Reply("good"))
    loop = asyncio.get_running_loop()
    started = loop.time()
    await ask(door, request(scripted_server))
    assert loop.time() - started >= 1.0


@pytest.mark.parametrize(
    ("trouble", "code", "names"),
    [
        (Failure(401, f"Incorrect API key provided: {PLANTED_KEY}"), "permanent", "OPENAI_API_KEY"),
        (Failure(404, "The model `scripted` does not exist"), "permanent", "`model`"),
        (Failure(400, "Unsupported value: temperature"), "permanent", "`temperature`"),
        (Failure(429, "You exceeded your current quota", code="insufficient_quota"), "permanent", "credit"),
        (Failure(400, "This model's maximum context length is 8192 tokens."), "too_long", "context"),
        (Failure(400, "filtered", code="content_filter"), "refused", "filter"),
        (Reply("half a rep", finish_reason="length"), "truncated", "`max_output_tokens`"),
        (Reply("", finish_reason="content_filter"), "refused", "filter"),
        (Reply(None, refusal="I cannot help with that."), "refused", "I cannot help with that."),
    ],
    ids=str,
)
async def test_what_cannot_pass_stops_at_once_and_says_what_to_change(
    door: Door, database: Database, scripted_server: ScriptedServer, trouble: Any, code: str, names: str
) -> None:
    scripted_server.replies(trouble)
    with pytest.raises(ModelError) as caught:
        await ask(door, request(scripted_server))
    assert caught.value.code == code
    assert names in caught.value.message
    assert len(scripted_server.calls) == 1
    if isinstance(trouble, Failure):
        [row] = rows(database)
        assert (row.state, row.error_code) == ("error", code)


async def test_a_reply_that_was_cut_off_is_not_paid_again(door: Door, scripted_server: ScriptedServer) -> None:
    scripted_server.replies(Reply("half a rep", finish_reason="length"))
    for _ in range(2):
        with pytest.raises(ModelError) as caught:
            await ask(door, request(scripted_server))
        assert caught.value.raw_replies == ("half a rep",)
    assert len(scripted_server.calls) == 1


async def test_a_missing_key_is_said_at_once(
    door: Door, scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ModelError, match="Set the provider's key in the environment") as caught:
        await ask(door, request(scripted_server))
    assert caught.value.code == "permanent"
    assert scripted_server.calls == []


async def test_a_wrong_key_fails_every_call_of_that_model_without_asking_again(
    door: Door, scripted_server: ScriptedServer
) -> None:
    scripted_server.rule = lambda _call: Failure(401, "wrong key")
    with pytest.raises(ModelError):
        await ask(door, request(scripted_server))
    made = len(scripted_server.calls)
    for number in range(50):
        with pytest.raises(ModelError, match="wrong key"):
            await ask(door, request(scripted_server, str(number)))
    assert len(scripted_server.calls) == made == 1


async def test_the_key_is_nowhere(
    door: Door, database: Database, scripted_server: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    scripted_server.replies(Failure(401, f"Incorrect API key provided: {PLANTED_KEY}"))
    with pytest.raises(ModelError) as caught:
        await ask(door, request(scripted_server))
    assert scripted_server.calls[0].headers["authorization"] == f"Bearer {PLANTED_KEY}"
    error: BaseException | None = caught.value
    while error is not None:
        assert PLANTED_KEY not in f"{error!s}{error!r}"
        error = error.__cause__
    assert PLANTED_KEY not in caplog.text
    assert PLANTED_KEY not in "".join(str(row) for row in rows(database))


async def test_characters_that_postgres_text_cannot_hold_are_kept(
    door: Door, scripted_server: ScriptedServer
) -> None:
    odd = 'nul \x00, half \ud83d, quote ", back \\u0000'
    scripted_server.rule = lambda _call: Reply(odd)
    assert (await ask(door, request(scripted_server, "a\x00b"))).content == odd
    stored = await ask(door, request(scripted_server, "a\x00b"))
    assert (stored.content, stored.from_ledger) == (odd, True)


async def test_a_call_outlives_its_asker(door: Door, scripted_server: ScriptedServer) -> None:
    scripted_server.latency = 0.3
    asker = asyncio.create_task(ask(door, request(scripted_server)))
    await asyncio.sleep(0.15)
    asker.cancel()
    await asyncio.sleep(0.5)
    assert (await ask(door, request(scripted_server))).from_ledger
    assert len(scripted_server.calls) == 1


async def test_an_expired_lease_is_taken_over_and_a_live_one_is_waited_for(
    database: Database, tmp_path: Path, door: Door, scripted_server: ScriptedServer
) -> None:
    scripted_server.rule = lambda _call: Reply("good")
    await ask(door, request(scripted_server))
    with database.begin() as connection:  # as after `kill -9` of another process
        connection.execute(
            text("update model_calls set state = 'in_flight', owner = 'dead', reply = null,"
                 " lease_until = now() + interval '0.7 seconds'")
        )  # fmt: skip
    loop = asyncio.get_running_loop()
    started = loop.time()
    reply = await ask(door, request(scripted_server))
    assert loop.time() - started >= 0.6
    assert (reply.content, reply.from_ledger) == ("good", False)
    assert len(scripted_server.calls) == 2


async def test_a_call_whose_end_was_lost_with_the_connection_holds_its_slot_no_longer_than_its_lease(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    door = Door(database, settings(tmp_path, max_concurrency=1), lease_seconds=1)
    await ask(door, request(scripted_server, "first"))

    def cut(_call: Call) -> Reply:
        with database.begin() as connection:
            cut_others(connection)
        scripted_server.rule = lambda _call: Reply("ok")
        return Reply("lost")

    scripted_server.rule = cut
    with pytest.raises(DatabaseLostError):
        await ask(door, request(scripted_server, "cut"))
    again = await asyncio.wait_for(ask(door, request(scripted_server, "another")), 20)
    same = await asyncio.wait_for(ask(door, request(scripted_server, "cut")), 20)
    assert (again.content, same.content) == ("ok", "ok")
    await door.close()


async def test_a_lease_from_before_the_clock_was_set_back_holds_nobody_up(
    database: Database, door: Door, scripted_server: ScriptedServer
) -> None:
    scripted_server.rule = lambda _call: Reply("good")
    await ask(door, request(scripted_server))
    with database.begin() as connection:  # killed, and then the server's clock went back by two hours
        connection.execute(
            text("update model_calls set state = 'in_flight', owner = 'dead', reply = null,"
                 " lease_until = now() + interval '2 hours'")
        )  # fmt: skip
    reply = await asyncio.wait_for(ask(door, request(scripted_server)), 20)
    assert (reply.content, reply.from_ledger) == ("good", False)


async def test_budget_is_never_passed_with_32_at_once(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    # The most that a call can cost: 1.3 x its few prompt tokens + 1000 output tokens x $20/M = $0.02 and a bit.
    scripted_server.rule = lambda _call: Reply("x", usage=(10, 1000))
    scripted_server.latency = 0.02
    door = Door(database, settings(tmp_path, budget=BudgetSettings(day_usd=0.5)))
    role = {"max_output_tokens": 1000}
    try:
        outcomes = await asyncio.gather(
            *(ask(door, request(scripted_server, f"m{n}", role=role)) for n in range(64)), return_exceptions=True
        )
    finally:
        await door.close()
    good = [outcome for outcome in outcomes if isinstance(outcome, ChatReply)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, ModelError)]
    # Each costs 10 x $10/M + 1000 x $20/M = $0.0201: at most 24 fit into $0.50.
    assert len(good) + len(refused) == 64
    assert 20 <= len(good) <= 24
    assert {error.code for error in refused} == {"budget"}
    assert "day_usd" in refused[0].message
    assert len(scripted_server.calls) == len(good)
    with database.begin() as connection:
        [budget] = connection.execute(text("select * from budgets where budget like 'day %'")).all()
    assert budget.spent_usd == len(good) * Decimal("0.0201")
    assert budget.reserved_usd == 0


async def test_a_model_without_a_price_costs_unknown_and_cannot_be_kept_in_a_budget(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    door = Door(database, settings(tmp_path, prices={}))
    reply = await ask(door, request(scripted_server))
    await door.close()
    assert reply.cost_usd is None
    assert rows(database)[0].cost_usd is None
    door = Door(database, settings(tmp_path, prices={}, budget=BudgetSettings(run_usd=1)))
    with pytest.raises(ModelError, match=r"price of openai/scripted is unknown"):
        await ask(door, request(scripted_server, "another"))
    await door.close()
    assert len(scripted_server.calls) == 1


async def test_faults_in_a_third_of_the_replies_lose_nothing(
    door: Door, database: Database, scripted_server: ScriptedServer
) -> None:
    faults = [
        Failure(429, retry_after="0.05"),
        Failure(500),
        Reset(),
        Reply("slow", seconds=2.0),
        Raw(b"{mal"),
        Reply("cut", finish_reason="length"),
    ]
    seen: dict[str, int] = {}

    def rule(call: Call) -> Any:
        said = call.last_user
        seen[said] = seen.get(said, 0) + 1
        number = int(said)
        if number % 10 < 3 and seen[said] == 1:
            return faults[number // 10 % len(faults)]
        return Reply(json.dumps({"said": said}))

    scripted_server.rule = rule
    outcomes = await asyncio.gather(
        *(ask(door, request(scripted_server, str(n), role={"timeout_seconds": 1.0})) for n in range(200)),
        return_exceptions=True,
    )
    for number, outcome in enumerate(outcomes):
        if number % 10 < 3 and number // 10 % 6 == 5:  # the cut-off ones are named, and nothing else failed
            assert isinstance(outcome, ModelError)
            assert outcome.code == "truncated"
        else:
            assert isinstance(outcome, ChatReply), outcome
            assert outcome.content == json.dumps({"said": str(number)})
    assert {row.state for row in rows(database)} == {"done"}


async def test_the_provider_s_limit_is_found_and_nothing_is_lost(
    door: Door, database: Database, scripted_server: ScriptedServer
) -> None:
    scripted_server.latency, scripted_server.concurrency = 0.05, 4
    await asyncio.gather(*(ask(door, request(scripted_server, str(n))) for n in range(80)))
    assert {row.state for row in rows(database)} == {"done"}
    # It begins with 24 at once, and each round is cut to what got through: few are pushed back after the first.
    assert len(scripted_server.calls) < 80 * 2


async def test_the_settings_bound_holds_over_all_processes_together(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    scripted_server.latency = 0.05
    doors = [Door(database, settings(tmp_path, max_concurrency=6)) for _ in range(3)]
    try:
        await asyncio.gather(
            *(ask(door, request(scripted_server, f"{i} {n}")) for i, door in enumerate(doors) for n in range(15))
        )
    finally:
        for door in doors:
            await door.close()
    assert len(scripted_server.calls) == 45
    assert 3 <= scripted_server.most_at_once <= 6


async def test_closing_finishes_what_is_in_work_and_begins_nothing_more(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    scripted_server.latency = 0.4
    door = Door(database, settings(tmp_path, max_concurrency=3))
    askers = [asyncio.create_task(ask(door, request(scripted_server, str(n)))) for n in range(20)]
    await calls_arrive(scripted_server, 3)
    for asker in askers:
        asker.cancel()
    await door.close()
    assert len(scripted_server.calls) == 3
    assert [row.state for row in rows(database)] == ["done"] * 3


async def test_a_stopped_loop_leaves_no_call_in_flight(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    scripted_server.latency = 5.0
    budget = BudgetSettings(day_usd=1)

    async def stopped() -> Door:
        door = Door(database, settings(tmp_path, budget=budget))
        asyncio.create_task(ask(door, request(scripted_server, role={"max_output_tokens": 1000})))  # noqa: RUF006
        await calls_arrive(scripted_server, 1)
        return door

    # `asyncio.run` ends by cancelling every task, as Ctrl-C does.
    door = await asyncio.to_thread(lambda: asyncio.run(stopped()))
    [row] = rows(database)
    assert (row.state, row.error_code, row.reserved_usd) == ("error", "interrupted", 0)
    await door.close()
    # It may be billed: 1.3 x its prompt and 1000 tokens of output at $20/M.
    assert row.lost_usd > Decimal("0.02")
    with database.begin() as connection:
        [kept] = connection.execute(text("select * from budgets where budget like 'day %'")).all()
    assert (kept.spent_usd, kept.reserved_usd) == (row.lost_usd, 0)


async def test_a_try_that_may_be_billed_is_counted_and_must_fit_the_budget(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    # A try may cost $0.02 and a bit; a reset may be billed, so the third try would pass $0.05.
    scripted_server.rule = lambda _call: Reset()
    door = Door(database, settings(tmp_path, budget=BudgetSettings(day_usd=0.05)))
    with pytest.raises(ModelError) as caught:
        await ask(door, request(scripted_server, role={"max_output_tokens": 1000}))
    await door.close()
    assert caught.value.code == "budget"
    assert len(scripted_server.calls) == 2
    [row] = rows(database)
    assert row.lost_usd > Decimal("0.04")
    with database.begin() as connection:
        [kept] = connection.execute(text("select * from budgets where budget like 'day %'")).all()
    assert (kept.spent_usd, kept.reserved_usd) == (row.lost_usd, 0)


async def test_what_a_dead_process_had_reserved_counts_as_spent(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    scripted_server.rule = lambda _call: Reply("x", usage=(0, 1000))  # $0.02
    door = Door(database, settings(tmp_path, budget=BudgetSettings(day_usd=1)))
    await ask(door, request(scripted_server, role={"max_output_tokens": 1000}))
    with database.begin() as connection:  # as if it had been killed: half a dollar is reserved
        connection.execute(
            text("update model_calls set state = 'in_flight', owner = 'dead', reply = null, cost_usd = null,"
                 " reserved_usd = 0.5, budgets = (select array_agg(budget) from budgets), lease_until = now()")
        )  # fmt: skip
        connection.execute(text("update budgets set spent_usd = 0, reserved_usd = 0.5"))
    await ask(door, request(scripted_server, role={"max_output_tokens": 1000}))
    await door.close()
    [row] = rows(database)
    assert (row.lost_usd, row.cost_usd) == (Decimal("0.5"), Decimal("0.02"))
    with database.begin() as connection:
        [kept] = connection.execute(text("select * from budgets where budget like 'day %'")).all()
    assert (kept.spent_usd, kept.reserved_usd) == (Decimal("0.52"), 0)


async def test_a_budget_begins_with_what_was_spent_before_it_was_set(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    scripted_server.rule = lambda _call: Reply("x", usage=(0, 1000))  # $0.02
    for limit, said in ((None, "a"), (0.03, "b")):
        door = Door(database, settings(tmp_path, budget=BudgetSettings(day_usd=limit)))
        asked = ask(door, request(scripted_server, said, role={"max_output_tokens": 1000}))
        if limit is None:
            await asked
        else:  # $0.02 are spent and another $0.02 would pass $0.03
            with pytest.raises(ModelError, match="budget"):
                await asked
        await door.close()
    assert len(scripted_server.calls) == 1


@pytest.mark.parametrize("limited_before", [True, False])
@pytest.mark.parametrize(("run_key", "name"), [("talks/react/v1/c1/r1", "run talks/react/v1/c1/r1"),
                                               (None, r"outside runs \d{4}-\d\d-\d\d talks")])  # fmt: skip
async def test_a_budget_holds_over_every_start(
    database: Database,
    tmp_path: Path,
    scripted_server: ScriptedServer,
    run_key: str | None,
    name: str,
    limited_before: bool,
) -> None:
    """Of a run for ever, of other work for the day; and what was spent before anybody set a limit counts."""
    scripted_server.rule = lambda _call: Reply("x", usage=(0, 1000))  # $0.02, so $0.03 hold one
    role = {"max_output_tokens": 1000, "timeout_seconds": 60}

    async def start(said: str, limit: float | None, channel: str = "talks") -> None:
        door = Door(database, settings(tmp_path, budget=BudgetSettings(run_usd=limit)))
        try:
            account = Account(channel, "claims", "talks/v1", run_key and run_key.replace("talks", channel))
            await ask(door, request(scripted_server, said, role=role), account)
        finally:
            await door.close()

    await start("a", 0.03 if limited_before else None)
    with pytest.raises(ModelError, match=f"{name}: \\$0.0200 spent"):
        await start("b", 0.03)
    await start("c", 0.03, "films")  # another channel's work has a limit of its own
    assert len(scripted_server.calls) == 2
