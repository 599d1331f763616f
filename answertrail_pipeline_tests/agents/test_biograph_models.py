"""Careers by a model: supervisor, searcher and coder through the real LiteLLM client, on a scripted server."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from answertrail_pipeline.agents.ask import AgentError, ask
from answertrail_pipeline.agents.biographies import from_prose, read_answer
from answertrail_pipeline.agents.external import external_agent
from answertrail_pipeline.agents.types import Trail
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.biographies.people import Person, store_people
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.tasks.code_events import CODE_EVENTS
from answertrail_pipeline.tasks.focus_search import FOCUS_SEARCH
from answertrail_pipeline.tasks.plan_gaps import PLAN_GAPS
from answertrail_pipeline.tasks.task import Task
from answertrail_pipeline_tests.agents import little
from answertrail_pipeline_tests.agents.little import ACCOUNT, CHANNEL, by_shared_words, ready
from answertrail_pipeline_tests.models.server import Call, Reply, ScriptedServer

PERSON = Person("q", "Ada Lamp", "Sanrei", "North", None, (("Ada Lamp", "en"), ("灯 亜田", "ja")), "test",
                reference="Ada Lamp was keeper of the lighthouse from 1990.")  # fmt: skip
TASKS: dict[str, Task[Any, Any]] = {"plan": PLAN_GAPS, "search": FOCUS_SEARCH, "code": CODE_EVENTS}
OFFICE = {"role": "keeper", "organization": "Pellan Point", "start": "1990", "end": "unknown",
          "titles": [{"text": "keeper", "lang": "en"}], "chunk_ids": []}  # fmt: skip


@pytest_asyncio.fixture
async def door(database: Database, tmp_path: Path) -> AsyncIterator[Door]:
    little.store_corpus(database)
    with database.begin() as connection:
        store_people(connection, CHANNEL, [PERSON])
    door = Door(database, little.settings(tmp_path))
    yield door
    await door.close()


def gaps(*queries: str, done: bool = False, summary: str = "so far") -> Reply:
    listed = [{"query": query, "language": "en"} for query in queries]
    return Reply({"summary": summary, "gaps": listed, "done": done}, usage=(100, 10))


def keep(*ids: str, query: str | None = None) -> Reply:
    return Reply({"keep": list(ids), "query": query}, usage=(50, 5))


def coded(*ids: str) -> Reply:
    return Reply({"events": [{**OFFICE, "chunk_ids": list(ids)}]}, usage=(200, 20))


async def career(door: Door, root: Path, server: ScriptedServer, *script: Any, **how: Any) -> Trail:
    server.replies(*script)
    given = {"agent": "biography", "model": server.role().model_dump(), "biography": how}
    return await ask(ready(door, root, **given), "career of Ada Lamp", ACCOUNT, question_id="q")


def asked(server: ScriptedServer) -> list[str]:
    return [_task(call) for call in server.chats]


def _task(call: Call) -> str:
    return next(name for name, task in TASKS.items() if task.full_system_prompt == call.system)


async def test_gaps_are_searched_kept_and_coded(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    trail = await career(
        door, tmp_path, scripted_server,
        gaps("lighthouse keeper", "electric lamp"),
        keep("nov:00000", query="lamp oil"), keep(), keep("jun:00000"),
        gaps(done=True, summary="keeper since 1990"),
        coded("nov:00000"),
    )  # fmt: skip
    assert asked(scripted_server) == ["plan", "search", "search", "search", "plan", "code"]
    assert [chunk.hit.chunk_id for chunk in trail.retrieved if chunk.kept] == ["nov:00000", "jun:00000"]
    assert any(not chunk.kept for chunk in trail.retrieved)
    assert (trail.searches, trail.model_calls, trail.budget_exhausted) == (3, 6, False)
    # 2 plans of 100 + 3 searches of 50 + the coder's 200 = 550; 20 + 15 + 20 = 55
    assert (trail.prompt_tokens, trail.completion_tokens) == (550, 55)
    assert trail.citations == ("nov:00000",)
    coder = scripted_server.chats[-1].last_user
    assert "keeper since 1990" in coder
    assert "Now I would never go back" in coder
    assert "I do not trust the electric lamp" not in coder  # seen, not kept
    assert PERSON.reference not in coder
    told = scripted_server.chats[-2].last_user
    assert "[jun:00000]" in told.split("SEARCHED")[0]
    assert "en: electric lamp" in told


async def test_the_reference_is_the_first_summary(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    await career(door, tmp_path, scripted_server, gaps(done=True), coded(), with_reference=True)
    assert PERSON.reference in scripted_server.chats[0].last_user
    assert PERSON.reference in scripted_server.chats[-1].last_user


async def test_the_coder_without_archive_gets_the_summary_only(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    script = (gaps("lighthouse keeper"), keep("nov:00000"), gaps(done=True, summary="keeper"), coded())
    trail = await career(door, tmp_path, scripted_server, *script, strategy="agent_no_archive")
    assert "FRAGMENTS" not in scripted_server.chats[-1].last_user
    assert [chunk.hit.chunk_id for chunk in trail.retrieved if chunk.kept] == ["nov:00000"]


async def test_malformed_replies_are_mended_counted_and_cost(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    trail = await career(
        door, tmp_path, scripted_server,
        Reply("I shall look for the keeper.", usage=(100, 10)), gaps("lighthouse keeper", "electric lamp"),
        keep("made-up"), keep("nov:00000"),  # an id that no passage has, then a right one
        Reply('{"keep": ["nov', usage=(50, 5)), Reply({"keep": "nov:00000"}, usage=(50, 5)),  # no use
        gaps(done=True),
        coded("nov:00000"),
    )  # fmt: skip
    assert asked(scripted_server) == ["plan"] * 2 + ["search"] * 4 + ["plan", "code"]
    assert read_answer(trail.answer).events
    assert trail.detail["malformed_calls"] == 4  # one plan, one mended search, two of the search that gave up
    assert trail.model_calls == 8
    # Every reply costs: plans 3 x 100, searches 4 x 50, coder 200
    assert trail.prompt_tokens == 700
    assert "no passage has the id made-up" in scripted_server.chats[3].last_user


async def test_a_supervisor_that_gives_nothing_usable_ends_in_a_coded_answer(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    trail = await career(
        door, tmp_path, scripted_server, gaps("lighthouse keeper"), keep("nov:00000"), Reply("no"), Reply("no"),
        coded("nov:00000"),
    )  # fmt: skip
    assert asked(scripted_server)[-1] == "code"
    assert trail.detail["malformed_calls"] == 2
    assert read_answer(trail.answer).events[0].chunk_ids == ("nov:00000",)


@pytest.mark.parametrize("limit", [2, 4, 5, 7, 8, 100])
async def test_the_limit_of_calls_is_hard_and_ends_in_a_coded_answer(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer, limit: int
) -> None:
    """A model that never is done and errs each time: every task takes two calls, the coder's too."""
    scripted_server.rule = _errs_first
    trail = await career(door, tmp_path, scripted_server, max_calls=limit)
    assert len(scripted_server.chats) == trail.model_calls <= limit
    assert asked(scripted_server)[-1] == "code"
    assert read_answer(trail.answer).events
    assert trail.budget_exhausted


def _errs_first(call: Call) -> Reply:
    if "That reply cannot be used" not in call.last_user:
        return Reply("?")
    number = str(len(call.last_user)) + str(abs(hash(json.dumps(call.body["messages"]))))
    return {"plan": gaps(f"keeper {number}"), "search": keep(query=f"lamp {number}"), "code": coded()}[_task(call)]


async def test_a_coder_that_gives_nothing_usable_fails_and_keeps_its_cost(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    wrong = Reply({"events": [{**OFFICE, "start": "the year of the great storm"}]}, usage=(200, 20))
    with pytest.raises(AgentError) as raised:
        await career(door, tmp_path, scripted_server, gaps(done=True), wrong, wrong)
    assert raised.value.code == "schema"
    assert "is no date" in scripted_server.chats[-1].last_user
    assert raised.value.trail.prompt_tokens == 500  # the plan's 100 and two replies of 200
    assert raised.value.trail.model_calls == 3


async def test_from_memory_there_is_no_evidence(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    trail = await career(door, tmp_path, scripted_server, coded(), strategy="memory")
    assert (trail.evidence, trail.retrieved, trail.searches) == ("none", (), 0)
    assert "lighthouse" not in scripted_server.chats[0].last_user
    assert "灯 亜田" in scripted_server.chats[0].last_user


async def test_an_imported_report_is_coded_with_its_pages_as_evidence(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    page = {"text": "Ada Lamp served as keeper of Pellan Point, 1990 to 1999.", "url": "https://p.example/ada",
            "id": "p1"}  # fmt: skip
    report = {
        "question_id": "q", "answer": "She was keeper of Pellan Point [p1].", "retrieved": [page],
        "searches": [{"query": "Ada Lamp", "chunk_ids": ["p1"]}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "model_calls": 7, "cost_usd": 0.5},
    }  # fmt: skip
    (tmp_path / "reports.jsonl").write_text(json.dumps(report) + "\n", "utf-8")
    scripted_server.replies(coded())
    given = {
        "agent": "biography",
        "model": scripted_server.role().model_dump(),
        "endpoint": "file:reports.jsonl",
        "biography": {"strategy": "deep_research"},
    }
    arm = ready(door, tmp_path, **given)
    imported = external_agent("file:reports.jsonl", tmp_path, 5.0, by_shared_words(arm.corpus))
    arm = replace(arm, agent=from_prose(imported))
    trail = await ask(arm, "career of Ada Lamp", ACCOUNT, question_id="q")
    assert "She was keeper of Pellan Point" in scripted_server.chats[0].last_user
    assert read_answer(trail.answer).events[0].role == "keeper"
    (chunk,) = trail.retrieved
    assert chunk.kept
    assert chunk.hit.chunk_id.startswith("foreign#")
    assert (trail.model_calls, trail.searches, trail.prompt_tokens) == (8, 1, 1200)  # 7 + 1; 1000 + 200
    assert trail.detail["prose"].startswith("She was keeper")


@pytest.mark.parametrize(
    ("how", "problem"), [({"strategy": "deep_research"}, "endpoint"), ({"strategy": "lrm_short"}, "donor")]
)
def test_an_arm_that_cannot_work_is_refused_at_once(
    door: Door, tmp_path: Path, how: dict[str, str], problem: str
) -> None:
    with pytest.raises(UserError, match=problem):
        ready(door, tmp_path, agent="biography", biography=how)
