"""A small OpenAI-compatible server on loopback, scripted by tests. The real LiteLLM client talks to it.

    scripted_server.replies(Reply("first"), Failure(500), Reply(tool_calls=[("search", {"query": "x"})]))
    scripted_server.rule = lambda call: Reply(call.last_user.upper())
    role = scripted_server.role()          # a ModelRole that points here
    scripted_server.calls                  # what was asked, in order

Replies in order are used up first, then the rule answers. It runs in a thread with its own event loop, so it
is neither slowed by the test's loop nor slows it.
"""

import asyncio
import hashlib
import json
import os
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from answertrail_pipeline.settings import EmbedRole, ModelRole

PLANTED_KEY = "sk-planted-7f1c0d9a5b3e-secret"


@dataclass(frozen=True)
class Reply:
    """A good answer. A `content` that is no string is written as JSON.

    Attributes:
        tool_calls: name and arguments; arguments that are a string are sent as they are (malformed JSON).
        usage: prompt and completion tokens; counted from the texts where None.
        seconds: how long this answer takes; the server's latency where None.
        drip: seconds over which the body is dripped out, byte group by byte group.
    """

    content: Any = None
    tool_calls: Sequence[tuple[str, Any]] = ()
    finish_reason: str | None = None
    usage: tuple[int, int] | None = None
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    refusal: str | None = None
    seconds: float | None = None
    drip: float = 0.0


@dataclass(frozen=True)
class Failure:
    """An HTTP error with OpenAI's error body."""

    status: int
    message: str = "scripted failure"
    retry_after: str | None = None
    code: str | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Reset:
    """The connection is reset without an answer."""

    seconds: float | None = None


@dataclass(frozen=True)
class Raw:
    """Any body under status 200: malformed JSON, JSON of another shape."""

    body: bytes
    seconds: float | None = None


Behaviour = Reply | Failure | Reset | Raw


@dataclass(frozen=True)
class Call:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages", []))

    @property
    def system(self) -> str:
        return "\n".join(str(m["content"]) for m in self.messages if m["role"] == "system")

    @property
    def last_user(self) -> str:
        return next((str(m["content"]) for m in reversed(self.messages) if m["role"] == "user"), "")


@dataclass
class ScriptedServer:
    """The server; `with ScriptedServer() as server:` or the fixture `scripted_server`.

    Attributes:
        latency: seconds that an answer takes.
        concurrency: how many calls may be in work at once; more get 429 with `Retry-After`.
        dimensions: length of the vectors that `/embeddings` makes from the texts' hashes.
        most_at_once: the highest number of chat and embedding calls that were in work together.
    """

    rule: Callable[[Call], Behaviour] = lambda _call: Reply("ok")
    latency: float = 0.0
    concurrency: int | None = None
    retry_after: str = "0.05"
    dimensions: int = 8
    calls: list[Call] = field(default_factory=list)
    most_at_once: int = 0
    url: str = ""
    _script: deque[Behaviour] = field(default_factory=deque)
    _active: int = 0

    def replies(self, *behaviours: Behaviour) -> None:
        """Queue answers, given in this order before the rule is asked."""
        self._script.extend(behaviours)

    def role(self, model: str = "openai/scripted", **fields: Any) -> ModelRole:
        """Return a role whose model is this server."""
        return ModelRole(**{"model": model, "api_base": self.url, "timeout_seconds": 5.0, **fields})

    def embed_role(self, model: str = "openai/scripted-embedding", **fields: Any) -> EmbedRole:
        """Return an embedding role whose model is this server."""
        return EmbedRole(model=model, api_base=self.url, **fields)

    @property
    def chats(self) -> list[Call]:
        """The chat calls that arrived."""
        return [call for call in self.calls if call.path.endswith("/chat/completions")]

    def __enter__(self) -> "ScriptedServer":
        os.environ["OPENAI_API_KEY"] = PLANTED_KEY
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        if not started.wait(10):
            raise RuntimeError("the scripted server did not start")
        return self

    def __exit__(self, *_error: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)
        os.environ.pop("OPENAI_API_KEY", None)

    def _run(self, started: threading.Event) -> None:
        asyncio.run(self._serve(started))

    async def _serve(self, started: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0, backlog=1024)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        started.set()
        await self._stop.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False once the connection is over."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        call = Call(head[0].split()[1], headers, json.loads(body or b"{}"))
        self.calls.append(call)
        if self.concurrency is not None and self._active >= self.concurrency:
            return await self._fail(writer, Failure(429, "too many at once", self.retry_after))
        self._active += 1
        self.most_at_once = max(self.most_at_once, self._active)
        try:
            behaviour = self._behaviour(call)
            await asyncio.sleep(self.latency if behaviour.seconds is None else behaviour.seconds)
        finally:
            self._active -= 1
        return await self._answer(writer, call, behaviour)

    def _behaviour(self, call: Call) -> Behaviour:
        if self._script:
            return self._script.popleft()
        return Reply() if call.path.endswith("/embeddings") else self.rule(call)

    async def _answer(self, writer: asyncio.StreamWriter, call: Call, behaviour: Behaviour) -> bool:
        if isinstance(behaviour, Reset):
            _reset(writer)
            return False
        if isinstance(behaviour, Failure):
            return await self._fail(writer, behaviour)
        if isinstance(behaviour, Raw):
            return await _send(writer, 200, behaviour.body)
        if call.path.endswith("/embeddings"):
            return await _send(writer, 200, json.dumps(self._embeddings(call)).encode())
        return await _send(writer, 200, json.dumps(_completion(call, behaviour)).encode(), drip=behaviour.drip)

    async def _fail(self, writer: asyncio.StreamWriter, failure: Failure) -> bool:
        error = {"message": failure.message, "type": "scripted", "code": failure.code, "param": None}
        extra = {} if failure.retry_after is None else {"Retry-After": failure.retry_after}
        return await _send(writer, failure.status, json.dumps({"error": error}).encode(), extra)

    def _embeddings(self, call: Call) -> dict[str, Any]:
        texts = call.body["input"] if isinstance(call.body["input"], list) else [call.body["input"]]
        data = [
            {"object": "embedding", "index": i, "embedding": vector_of(text, self.dimensions)}
            for i, text in enumerate(texts)
        ]
        tokens = sum(len(str(text).split()) for text in texts)
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return {"object": "list", "model": call.body["model"], "data": data, "usage": usage}


def vector_of(text: str, dimensions: int) -> list[float]:
    """Return the vector that the server makes of a text: a unit-free hash, the same everywhere."""
    digest = hashlib.shake_256(text.encode()).digest(2 * dimensions)
    return [value / 65535 for value in struct.unpack(f">{dimensions}H", digest)]


def _completion(call: Call, reply: Reply) -> dict[str, Any]:
    content = reply.content
    if content is not None and not isinstance(content, str):
        content = json.dumps(content)
    tool_calls = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for number, (name, given) in enumerate(reply.tool_calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if tool_calls:
        message["tool_calls"] = tool_calls
    if reply.refusal is not None:
        message["refusal"] = reply.refusal
    asked, made = reply.usage or (len(json.dumps(call.messages).split()), len((content or "").split()))
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 0,
        "model": call.body["model"],
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": reply.finish_reason or ("tool_calls" if tool_calls else "stop"),
            }
        ],
        "usage": {
            "prompt_tokens": asked,
            "completion_tokens": made,
            "total_tokens": asked + made,
            "prompt_tokens_details": {"cached_tokens": reply.cached_tokens},
            "completion_tokens_details": {"reasoning_tokens": reply.reasoning_tokens},
        },
    }


async def _send(
    writer: asyncio.StreamWriter,
    status: int,
    body: bytes,
    extra: dict[str, str] | None = None,
    drip: float = 0.0,
) -> bool:
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **(extra or {})}
    head = f"HTTP/1.1 {status} Scripted\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers.items()) + "\r\n"
    writer.write(head.encode())
    pieces = 10 if drip else 1
    for number in range(pieces):
        writer.write(body[len(body) * number // pieces : len(body) * (number + 1) // pieces])
        await writer.drain()
        if drip:
            await asyncio.sleep(drip / pieces)
    return True


def _reset(writer: asyncio.StreamWriter) -> None:
    raw = writer.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
