"""The loop against the scripted server: the real client, the real door, a real database."""

import json
from pathlib import Path
from typing import Any

import pytest

from answertrail_pipeline.agents.ask import AgentError, ask
from answertrail_pipeline.agents.types import Trail
from answertrail_pipeline.models.door import Door
from answertrail_pipeline_tests.agents.little import ACCOUNT, CHANGE, FACT, ready
from answertrail_pipeline_tests.models.server import Call, Failure, Reply, ScriptedServer

TALL = "The lighthouse is 31 metres tall [jan:00000]."
WRITTEN = Reply({"answer": TALL, "citations": ["jan:00000"], "abstained": False})
READY = ("ready", {"reason": "enough"})


def search(query: str, **window: str) -> tuple[str, dict[str, str]]:
    return ("search", {"query": query, **window})


async def run(door: Door, root: Path, server: ScriptedServer, *script: Any, **arm: Any) -> Trail:
    server.replies(*script)
    arm.setdefault("agent", "react")
    return await ask(ready(door, root, model=server.role().model_dump(), **arm), FACT, ACCOUNT)


def kinds(trail: Trail) -> list[str]:
    return [event["kind"] for event in trail.events]


def of_kind(trail: Trail, kind: str) -> list[dict[str, Any]]:
    return [event for event in trail.events if event["kind"] == kind]


def tool_replies(call: Call) -> list[str]:
    return [message["content"] for message in call.messages if message["role"] == "tool"]


async def test_searches_of_one_step_run_at_once_and_are_answered_in_order(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    two = Reply(
        tool_calls=[search("lighthouse tall"), search("electric lamp", since="2025-06-01", until="2025-06-30")]
    )
    trail = await run(door, tmp_path, scripted_server, two, Reply(tool_calls=[READY]), WRITTEN)
    assert (trail.answer, trail.citations, trail.abstained) == (TALL, ("jan:00000",), False)
    assert (trail.searches, trail.steps, trail.budget_exhausted) == (2, 2, False)
    assert [(chunk.hit.chunk_id, chunk.first_step, chunk.rank) for chunk in trail.retrieved] == [
        ("jan:00000", 1, 1),
        ("jun:00000", 2, 1),
    ]
    started, finished = of_kind(trail, "search_started"), of_kind(trail, "search_finished")
    assert [each["number"] for each in started] == [each["number"] for each in finished] == [1, 2]
    assert kinds(trail).index("search_finished") > max(
        at for at, kind in enumerate(kinds(trail)) if kind == "search_started"
    )
    shown = tool_replies(scripted_server.chats[1])
    assert len(shown) == 2
    assert "[jan:00000] 2025-01-10 | Winter round\nThe lighthouse at Pellan Point is thirty one" in shown[0]
    assert "[jun:00000] 2025-06-20 | Summer round\nThe electric lamp burned" in shown[1]
    assert trail.model_calls == 3


async def test_tokens_are_summed_and_an_unknown_price_is_unknown(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    trail = await run(
        door,
        tmp_path,
        scripted_server,
        Reply(tool_calls=[search("lighthouse"), search("tall")], usage=(100, 10)),
        Reply(tool_calls=[READY], usage=(300, 5)),
        Reply({"answer": TALL, "citations": ["jan:00000"], "abstained": False}, usage=(500, 40)),
    )
    assert (trail.prompt_tokens, trail.completion_tokens) == (900, 55)  # 100 + 300 + 500, 10 + 5 + 40
    assert trail.cost_usd is None


async def test_malformed_arguments_go_back_to_the_model_and_are_counted(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    trail = await run(
        door,
        tmp_path,
        scripted_server,
        Reply(
            tool_calls=[
                ("search", '{"query": "lighth'),
                ("search", {"words": "lighthouse"}),
                ("search", {"query": "lamp", "since": "last winter"}),
                ("search", {"query": "lamp", "since": "2025-06-02", "until": "2025-06-01"}),
                ("lookup", {"query": "lighthouse"}),
                search("lighthouse"),
            ]
        ),
        Reply(tool_calls=[search("tall")]),
        Reply(tool_calls=[READY]),
        WRITTEN,
    )
    shown = tool_replies(scripted_server.chats[1])
    assert shown[0].startswith("Error: the arguments: Invalid JSON")
    assert shown[1] == "Error: query: Field required."
    assert shown[2].startswith("Error: since: Input should be a valid date")
    assert shown[3] == "Error: `since` 2025-06-02 is after `until` 2025-06-01."
    assert shown[4] == "Error: There is no tool `lookup`. The tools are `search` and `ready`."
    assert "[jan:00000]" in shown[5]
    assert trail.detail["malformed_calls"] == 5
    assert trail.searches == 2


async def test_an_invented_citation_is_refused_with_the_reason_and_mended(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    invented = Reply({"answer": "It is 31 m [jan:99999].", "citations": ["jan:99999"], "abstained": False})
    trail = await run(
        door,
        tmp_path,
        scripted_server,
        Reply(tool_calls=[search("lighthouse"), search("tall"), READY]),
        invented,
        WRITTEN,
    )
    assert trail.answer == TALL
    assert of_kind(trail, "answer_rejected") == [
        {
            "kind": "answer_rejected",
            "attempt": 1,
            "answer": "It is 31 m [jan:99999].",
            "problems": ["`jan:99999` does not exist in the corpus."],
        }
    ]
    again = scripted_server.chats[-1].last_user
    assert "- `jan:99999` does not exist in the corpus." in again
    assert "It is 31 m [jan:99999]." in again


async def test_a_chunk_that_was_not_retrieved_cannot_be_cited_and_the_third_time_fails(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    unseen = Reply({"answer": "Seals came back [jun:00030].", "citations": ["jun:00030"], "abstained": False})
    with pytest.raises(AgentError) as failed:
        await run(
            door,
            tmp_path,
            scripted_server,
            Reply(tool_calls=[search("lighthouse"), search("tall"), READY]),
            unseen,
            unseen,
            unseen,
        )
    assert failed.value.code == "bad_citations"
    assert "`jun:00030` was not retrieved in this run." in failed.value.message
    trail = failed.value.trail
    assert trail.answer == ""
    assert trail.detail["rejected_answers"] == 3
    assert trail.model_calls == 4
    assert kinds(trail)[-1] == "failed"


async def test_a_premature_stop_is_refused_three_times_and_then_taken(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    stop = Reply(tool_calls=[READY])
    nothing = Reply({"answer": "The transcripts do not say.", "citations": [], "abstained": True})
    trail = await run(door, tmp_path, scripted_server, stop, stop, Reply("I am done."), stop, nothing)
    assert [each["count"] for each in of_kind(trail, "ready_refused")] == [1, 2, 3]
    assert tool_replies(scripted_server.chats[1]) == [
        "Refused: 0 of at least 2 different searches were made. Search again."
    ]
    assert scripted_server.chats[3].last_user.startswith("No tool was called.")
    assert (trail.abstained, trail.steps, trail.citations) == (True, 4, ())


async def test_the_same_search_twice_is_one_look(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    trail = await run(
        door,
        tmp_path,
        scripted_server,
        Reply(tool_calls=[search("Lighthouse")]),
        Reply(tool_calls=[search("  lighthouse "), READY]),
        Reply(tool_calls=[search("tall tower"), READY]),
        WRITTEN,
    )
    assert [each["repeated"] for each in of_kind(trail, "search_started")] == [False, True, False]
    assert (trail.detail["repeated_searches"], trail.detail["refused_ready"]) == (1, 1)
    assert "(read before)" in tool_replies(scripted_server.chats[2])[1]


async def test_the_end_of_the_budget_forces_an_answer(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    trail = await run(
        door,
        tmp_path,
        scripted_server,
        Reply(tool_calls=[search("lighthouse")]),
        Reply(tool_calls=[search("granite")]),
        WRITTEN,
        max_steps=2,
    )
    assert (trail.budget_exhausted, trail.steps, trail.answer) == (True, 2, TALL)
    assert of_kind(trail, "gathering_ended")[0]["reason"] == "budget"


@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        (Reply(refusal="I cannot help with that."), "refused"),
        (Reply("half", finish_reason="length"), "truncated"),
        (Failure(401, "wrong key"), "permanent"),
    ],
)
async def test_a_model_that_refuses_fails_the_unit_with_its_reason(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer, trouble: Any, code: str
) -> None:
    with pytest.raises(AgentError) as failed:
        await run(door, tmp_path, scripted_server, Reply(tool_calls=[search("lighthouse")]), trouble)
    assert failed.value.code == code
    assert [chunk.hit.chunk_id for chunk in failed.value.trail.retrieved] == ["jan:00000"]


async def test_a_repetition_is_asked_anew_and_the_same_one_never_twice(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    script = [Reply(tool_calls=[search("lighthouse"), search("tall"), READY]), WRITTEN]
    scripted_server.replies(*script, *script)
    arm = ready(door, tmp_path, agent="react", model=scripted_server.role().model_dump())
    first = await ask(arm, FACT, ACCOUNT, salt="r1e1")
    again = await ask(arm, FACT, ACCOUNT, salt="r1e1")
    assert len(scripted_server.chats) == 2
    assert (first.events, first.prompt_tokens) == (again.events, again.prompt_tokens)
    await ask(arm, FACT, ACCOUNT, salt="r2e1")
    assert len(scripted_server.chats) == 4


async def test_prompts_hold_the_recipe_the_language_and_fenced_data(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    (tmp_path / "mine.md").write_text("Look for seals first.")
    await run(
        door,
        tmp_path,
        scripted_server,
        Reply(tool_calls=[search("lighthouse"), search("tall"), READY]),
        WRITTEN,
        recipe="mine.md",
    )
    step, answer = scripted_server.chats
    assert "Look for seals first." in step.system
    assert "`en`" in step.system
    assert f">\n{FACT}\n</question-" in step.last_user
    assert "You have 15 steps." in step.last_user
    assert {tool["function"]["name"] for tool in step.body["tools"]} == {"search", "ready"}
    assert f">\n{FACT}\n</question-" in answer.last_user
    assert answer.last_user.index("[jan:00000]") < answer.last_user.index(FACT)
    assert "tools" not in answer.body


async def test_the_live_view_hears_what_the_trail_keeps(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    heard: list[dict[str, Any]] = []
    trail = await ask(ready(door, tmp_path, agent="react"), CHANGE, ACCOUNT, listener=heard.append)
    assert tuple(heard) == trail.events
    assert json.loads(json.dumps(heard)) == heard


async def test_the_model_may_ask_for_more_passages_up_to_the_most_of_its_arm(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    words = {"keeper lamp": 1, "electric lamp keeper": 2, "keeper of the lamp": 500}
    wanted = [("search", {"query": query, "k": k}) for query, k in words.items()]
    trail = await run(
        door,
        tmp_path,
        scripted_server,
        Reply(tool_calls=[*wanted, ("search", {"query": "keeper", "k": 0}), READY]),
        Reply({"answer": "The transcripts do not say.", "citations": [], "abstained": True}),
        retriever={"k": 1, "max_k": 2},
    )
    assert [len(each["chunk_ids"]) for each in of_kind(trail, "search_finished")] == [1, 2, 2]
    assert trail.detail["malformed_calls"] == 1
    (found, _ready) = scripted_server.chats[0].body["tools"]
    assert found["function"]["parameters"]["properties"]["k"]["description"] == (
        "How many passages, at most 2; 1 if not given."
    )


async def test_an_arm_without_a_most_offers_no_choice_and_gives_no_more(
    door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    trail = await run(
        door,
        tmp_path,
        scripted_server,
        Reply(tool_calls=[("search", {"query": "keeper lamp", "k": 9}), search("tall"), READY]),
        WRITTEN,
        retriever={"k": 2},
    )
    assert [len(each["chunk_ids"]) for each in of_kind(trail, "search_finished")] == [2, 1]
    assert "k" not in scripted_server.chats[0].body["tools"][0]["function"]["parameters"]["properties"]
