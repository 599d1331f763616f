"""Agents of other people: over HTTP, in Python, as a command, from files."""

import asyncio
import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
import pytest

from answertrail_pipeline.agents import ask as ask_module
from answertrail_pipeline.agents import external_calls
from answertrail_pipeline.agents.ask import AgentError, ReadyArm, ask
from answertrail_pipeline.agents.external import external_agent
from answertrail_pipeline.agents.external_calls import TOKEN_VARIABLE, make_call
from answertrail_pipeline.agents.types import Trail
from answertrail_pipeline.errors import UnitError, UserError
from answertrail_pipeline.models.door import Door
from answertrail_pipeline_tests.agents.little import ACCOUNT, CHUNKS, FACT, by_shared_words, ready

Answer = Callable[[dict[str, Any], dict[str, str]], tuple[int, bytes]]
GOOD = {"answer": "It is 31 m [jan:00000].", "citations": ["jan:00000"], "retrieved": ["jan:00000", "jun:00000"]}


@contextmanager
def agent_server(answer: Answer) -> Iterator[str]:
    """Serve an agent on loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, reply = answer(body, dict(self.headers))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/answer"
    finally:
        server.shutdown()
        server.server_close()


def external(door: Door, root: Path, endpoint: str, timeout: float = 10) -> ReadyArm:
    """Return an external arm whose texts are matched by shared words."""
    arm = ready(door, root, agent="external", endpoint=endpoint, timeout_seconds=timeout)
    agent = external_agent(endpoint, root, timeout, by_shared_words(arm.corpus))
    return ReadyArm(arm.arm, agent, door, arm.corpus, arm.search, "Coast")


async def asked(door: Door, root: Path, endpoint: str, **more: Any) -> Trail:
    return await ask(external(door, root, endpoint, **more), FACT, ACCOUNT, question_id="q1", salt="r1e1")


async def failure(door: Door, root: Path, endpoint: str, **more: Any) -> UnitError:
    with pytest.raises(AgentError) as failed:
        await asked(door, root, endpoint, **more)
    return failed.value


async def test_an_http_agent_gets_the_question_and_gives_its_trail(
    door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "s3cret-token")
    got: list[tuple[dict[str, Any], dict[str, str]]] = []

    def answer(body: dict[str, Any], headers: dict[str, str]) -> tuple[int, bytes]:
        got.append((body, headers))
        searches = [
            {"query": "tall", "chunk_ids": ["jan:00000"]},
            {"query": "lamp", "chunk_ids": ["jan:00000", "jun:00000"]},
        ]
        usage = {"model_calls": 3, "prompt_tokens": 900, "completion_tokens": 50, "cost_usd": 0.0125}
        return 200, json.dumps({**GOOD, "searches": searches, "usage": usage, "steps": 2, "mood": "good"}).encode()

    with agent_server(answer) as url:
        trail = await asked(door, tmp_path, url)
    body, headers = got[0]
    assert body == {
        "version": 1,
        "question_id": "q1",
        "question": FACT,
        "language": "en",
        "corpus": {
            "channel": "coast",
            "title": "Coast",
            "first_date": "2025-01-10",
            "last_date": "2025-11-05",
        },
        "repetition": "r1e1",
        "problems": [],
    }
    assert headers["Authorization"] == "Bearer s3cret-token"
    assert (trail.answer, trail.citations, trail.evidence) == (GOOD["answer"], ("jan:00000",), "retrieved")
    assert [(chunk.hit.chunk_id, chunk.first_step, chunk.rank) for chunk in trail.retrieved] == [
        ("jan:00000", 1, 1),
        ("jun:00000", 2, 2),
    ]
    assert (trail.searches, trail.steps, trail.model_calls, trail.prompt_tokens) == (2, 2, 3, 900)
    assert str(trail.cost_usd) == "0.0125"
    assert [event["new"] for event in trail.events if event["kind"] == "search_finished"] == [1, 1]
    assert "s3cret-token" not in json.dumps(trail.events)


async def test_citations_are_checked_and_the_agent_may_mend_them(door: Door, tmp_path: Path) -> None:
    problems: list[list[str]] = []

    def answer(body: dict[str, Any], _headers: dict[str, str]) -> tuple[int, bytes]:
        problems.append(body["problems"])
        bad = {**GOOD, "answer": "It is 31 m [nov:00000].", "citations": ["nov:00000"]}
        return 200, json.dumps(GOOD if body["problems"] else bad).encode()

    with agent_server(answer) as url:
        trail = await asked(door, tmp_path, url)
    assert trail.answer == GOOD["answer"]
    assert problems == [[], ["`nov:00000` was not retrieved in this run."]]


@pytest.mark.parametrize(
    ("status", "body", "code", "said"),
    [
        (500, b"oops", "http_status", "status 500"),
        (200, b"<html>", "wrong_shape", "no JSON"),
        (200, b'["answer"]', "wrong_shape", "the reply"),
        (200, b'{"text": "31 m"}', "wrong_shape", "answer: Field required"),
        (200, b'{"answer": 31}', "wrong_shape", "answer: Input should be a valid string"),
        (200, b'{"answer": "x", "retrieved": [{"chunk_id": "z:00000"}]}', "unknown_chunk", "without a text"),
        (200, b'{"answer": "", "retrieved": []}', "bad_citations", "The answer is empty."),
    ],
)
async def test_whatever_an_agent_sends_is_one_failed_unit(
    door: Door, tmp_path: Path, status: int, body: bytes, code: str, said: str
) -> None:
    with agent_server(lambda _body, _headers: (status, body)) as url:
        error = await failure(door, tmp_path, url)
    assert error.code == code
    assert said in error.message


async def test_an_agent_whose_queue_is_full_is_asked_again(
    door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external_calls, "TURNED_AWAY_PAUSES", (0.0, 0.0))
    tries: list[int] = []

    def answer(_body: dict[str, Any], _headers: dict[str, str]) -> tuple[int, bytes]:
        tries.append(1)
        if len(tries) < 3:
            raise SystemExit  # ends the thread: the connection closes without a word
        return 200, json.dumps(GOOD).encode()

    with agent_server(answer) as url:
        assert (await asked(door, tmp_path, url)).answer == GOOD["answer"]
        assert len(tries) == 3
        tries.clear()
        monkeypatch.setattr(external_calls, "TURNED_AWAY_PAUSES", (0.0,))
        assert (await failure(door, tmp_path, url)).code == "unreachable"


async def test_an_agent_that_is_not_there_or_never_answers(
    door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external_calls, "TURNED_AWAY_PAUSES", ())
    assert (await failure(door, tmp_path, "http://127.0.0.1:9/answer")).code == "unreachable"
    (tmp_path / "sleeper.py").write_text("import asyncio\nasync def answer(_):\n    await asyncio.sleep(60)\n")
    error = await failure(door, tmp_path, "python:sleeper:answer", timeout=0.2)
    assert (error.code, error.message) == ("timeout", "The agent gave no answer within 0.2 seconds.")


async def test_a_python_agent_plain_or_async_and_one_that_crashes(door: Door, tmp_path: Path) -> None:
    (tmp_path / "my_agent.py").write_text(
        f"def plain(request):\n    return {GOOD!r}\n"
        "async def waiting(request):\n    return plain(request)\n"
        "def broken(request):\n    raise KeyError('index')\n"
    )
    for name in ("plain", "waiting"):
        assert (await asked(door, tmp_path, f"python:my_agent:{name}")).answer == GOOD["answer"]
    error = await failure(door, tmp_path, "python:my_agent:broken")
    assert (error.code, error.message) == ("crash", "The agent raised KeyError: 'index'")
    with pytest.raises(UserError, match="cannot be imported"):
        external(door, tmp_path, "python:my_agent:nothing")


async def test_a_command_reads_a_line_and_writes_a_line(door: Door, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    question = json.loads(line)['question']\n"
        f"    print(json.dumps({{**{GOOD!r}, 'searches': [{{'query': question}}]}}))\n"
    )
    trail = await asked(door, tmp_path, f"command:{sys.executable} agent.py")
    assert (trail.answer, trail.events[1]["query"]) == (GOOD["answer"], FACT)
    (tmp_path / "bad.py").write_text("import sys; sys.exit('no index here')")
    error = await failure(door, tmp_path, f"command:{sys.executable} bad.py")
    assert (error.code, error.message) == ("crash", "The agent's command ended with 1: no index here")
    assert (await failure(door, tmp_path, "command:./nothing-here")).code == "crash"
    (tmp_path / "silent.py").write_text("")
    assert (await failure(door, tmp_path, f"command:{sys.executable} silent.py")).code == "wrong_shape"


async def test_a_command_that_hangs_is_killed_with_its_children(tmp_path: Path) -> None:
    (tmp_path / "hang.sh").write_text("sleep 60 & echo $! > child; wait")
    call = make_call("command:sh hang.sh", tmp_path, 1.0)
    with pytest.raises(UnitError, match="timeout"):
        await call({})
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        if not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE:
            return
        await asyncio.sleep(0.05)
    pytest.fail("the command's child still runs")


async def test_an_agent_that_tells_nothing_of_its_retrieval(door: Door, tmp_path: Path) -> None:
    (tmp_path / "quiet.py").write_text(
        "def answer(request):\n    return {'answer': '31 m [jan:00000].', 'citations': ['jan:00000', 'doc-7']}\n"
    )
    trail = await asked(door, tmp_path, "python:quiet:answer")
    assert (trail.evidence, trail.reports_retrieval, trail.retrieved) == ("none", False, ())
    assert trail.citations == ("jan:00000",)
    assert trail.detail["unknown_citations"] == ["doc-7"]
    assert (trail.prompt_tokens, trail.cost_usd) == (None, None)


async def test_texts_are_matched_to_chunks_or_kept_as_foreign_evidence(door: Door, tmp_path: Path) -> None:
    both = f"{CHUNKS['jan:00000']} {CHUNKS['jan:00030']}".upper().replace(",", " -")
    reply = {
        "answer": "It is 31 m [d1], say the harbour records [d2]; the lamp failed [d3].",
        "retrieved": [
            {"id": "d1", "text": both},
            {
                "id": "d2",
                "text": "Harbour records of 1902 list a tower of 31 m.",
                "title": "Records",
                "date": "1902-05-01",
            },
            {"id": "d3", "text": "the electric lamp, it goes out in every storm"},
        ],
    }
    (tmp_path / "texts.py").write_text(f"def answer(request):\n    return {reply!r}\n")
    trail = await asked(door, tmp_path, "python:texts:answer")
    ids = [chunk.hit.chunk_id for chunk in trail.retrieved]
    assert ids[:2] == ["jan:00000", "jan:00030"]
    assert ids[2].startswith("foreign#")
    assert len(ids) == 3
    assert trail.answer == (
        f"It is 31 m [jan:00000][jan:00030], say the harbour records [{ids[2]}]; the lamp failed [jan:00030]."
    )
    assert trail.citations == ("jan:00000", "jan:00030", ids[2])
    assert trail.detail["foreign_evidence"] == 1
    foreign = trail.retrieved[2].hit
    assert (foreign.title, foreign.published_at.date().isoformat(), foreign.video_id) == (
        "Records",
        "1902-05-01",
        "",
    )


async def test_finished_answers_of_both_formats(door: Door, tmp_path: Path) -> None:
    own = {"question": f"  {FACT.upper()}", **GOOD}
    castorini = {
        "topic_id": "q1",
        "topic": FACT,
        "references": ["jan:00000", "nov:00000"],
        "response_length": 30,
        "answer": [
            {"text": "It is 31 m tall.", "citations": [0]},
            {"text": "It has an electric lamp.", "citations": [1, 0]},
        ],
    }
    with_candidates = {
        **castorini,
        "rag_exec_summary": {"candidates": [{"docid": each, "score": 1.0} for each in castorini["references"]]},
    }
    for row, evidence in ((own, "retrieved"), (castorini, "none"), (with_candidates, "retrieved")):
        (tmp_path / "answers.jsonl").write_text(json.dumps(row) + "\n\n")
        trail = await asked(door, tmp_path, "file:answers.jsonl")
        assert trail.evidence == evidence
        assert trail.citations == (("jan:00000",) if row is own else ("jan:00000", "nov:00000"))
    assert trail.answer == "It is 31 m tall. [jan:00000] It has an electric lamp. [nov:00000] [jan:00000]"
    (tmp_path / "answers.jsonl").write_text(json.dumps({**castorini, "references": []}))
    assert (await failure(door, tmp_path, "file:answers.jsonl")).code == "wrong_shape"
    (tmp_path / "answers.jsonl").write_text(json.dumps({**own, "question": "Another?"}))
    assert (await failure(door, tmp_path, "file:answers.jsonl")).code == "no_answer"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            '{"question_id": "q1", "answer": "a"}\n{"question_id": "q1", "answer": "b"}',
            "line 2 answers `q1` again",
        ),
        ('{"question_id": "q1"', "line 1 is no JSON"),
        ('{"answer": "a"}', "line 1 names no question"),
    ],
)
async def test_a_file_that_cannot_be_read_is_refused_by_line(
    door: Door, tmp_path: Path, lines: str, said: str
) -> None:
    (tmp_path / "answers.jsonl").write_text(lines)
    with pytest.raises(UserError, match=said):
        external(door, tmp_path, "file:answers.jsonl")


def test_the_agents_of_the_settings_are_all_there() -> None:
    from answertrail_pipeline.settings import ArmSettings

    named = set(ArmSettings.model_fields["agent"].annotation.__args__)
    assert named == {*ask_module._AGENTS, "external"}
