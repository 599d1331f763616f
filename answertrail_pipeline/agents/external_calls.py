"""Reaching an agent of yours: over HTTP, in this Python process, or as a command."""

import asyncio
import importlib
import inspect
import json
import os
import shlex
import signal
import sys
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from answertrail_pipeline.errors import UnitError, UserError

if TYPE_CHECKING:
    import httpx

TOKEN_VARIABLE = "ANSWERTRAIL_AGENT_TOKEN"  # noqa: S105 - the name of a variable
MAX_REPLY_BYTES = 20_000_000
TURNED_AWAY_PAUSES = (1.0, 4.0)
"""Seconds before a second and third try where a connection was cut: a small server's queue may be full."""
_STDERR_TAIL = 300

Call = Callable[[dict[str, Any]], Awaitable[Any]]
"""Sends a request object and returns the reply, not yet checked."""


def make_call(endpoint: str, root: Path, timeout: float) -> Call:
    """Return how an endpoint is called.

    Args:
        root: folder of `answertrail.toml`: where modules and commands are looked up.
        timeout: seconds for one answer.

    Raises:
        UserError: the endpoint is of no known kind, or its function cannot be imported.
    """
    kind, _, rest = endpoint.partition(":")
    if kind in ("http", "https"):
        call = _http(endpoint, timeout)
    elif kind == "python":
        call = _python(rest, root)
    elif kind == "command" and rest.strip():
        call = _command(shlex.split(rest), root)
    else:
        raise UserError(
            f"The endpoint `{endpoint}` is of no known kind.",
            'Write "https://...", "python:module:function", "command:..." or "file:answers.jsonl".',
        )

    async def limited(request: dict[str, Any]) -> Any:
        try:
            async with asyncio.timeout(timeout):
                return await call(request)
        except TimeoutError as error:
            raise UnitError("timeout", f"The agent gave no answer within {timeout:g} seconds.") from error

    return limited


def _http(url: str, timeout: float) -> Call:
    async def call(request: dict[str, Any]) -> Any:
        import httpx

        for pause in (*TURNED_AWAY_PAUSES, None):
            try:
                async with httpx.AsyncClient(timeout=timeout) as client:
                    return _json(await _post(client, url, request))
            except httpx.TimeoutException as error:
                raise TimeoutError from error
            except httpx.RequestError as error:
                if pause is None:
                    why = str(error) or type(error).__name__
                    raise UnitError("unreachable", f"The agent at {url} cannot be reached: {why}.") from error
                await asyncio.sleep(pause)
        raise AssertionError("the last try returns or raises")

    return call


async def _post(client: "httpx.AsyncClient", url: str, request: dict[str, Any]) -> bytes:
    token = os.environ.get(TOKEN_VARIABLE)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with client.stream("POST", url, json=request, headers=headers) as response:
        if response.status_code != HTTPStatus.OK:
            raise UnitError("http_status", f"The agent replied with status {response.status_code}.")
        body = bytearray()
        async for part in response.aiter_bytes():
            body += part
            if len(body) > MAX_REPLY_BYTES:
                raise UnitError("too_long", f"The agent sent more than {MAX_REPLY_BYTES} bytes.")
    return bytes(body)


def _python(target: str, root: Path) -> Call:
    module_name, _, function_name = target.partition(":")
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    try:
        function = getattr(importlib.import_module(module_name), function_name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(
            f"The agent `python:{target}` cannot be imported: {error}.",
            f"Write python:module:function; modules are looked up in {root} and in the environment.",
        ) from error

    async def call(request: dict[str, Any]) -> Any:
        try:
            if inspect.iscoroutinefunction(function):
                return await function(request)
            return await asyncio.to_thread(function, request)
        except TimeoutError:
            raise
        except Exception as error:
            raise UnitError("crash", f"The agent raised {type(error).__name__}: {error}") from error

    return call


def _command(words: list[str], root: Path) -> Call:
    async def call(request: dict[str, Any]) -> Any:
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                cwd=root,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise UnitError("crash", f"The agent's command cannot be started: {error}.") from error
        try:
            line = json.dumps(request, ensure_ascii=False) + "\n"
            output, errors = await process.communicate(line.encode("utf-8"))
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        if process.returncode:
            tail = errors.decode("utf-8", "replace").strip()[-_STDERR_TAIL:]
            raise UnitError("crash", f"The agent's command ended with {process.returncode}: {tail}")
        lines = [line for line in output.splitlines() if line.strip()]
        return _json(lines[-1] if lines else b"")

    return call


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise UnitError("wrong_shape", f"The agent's reply is no JSON: {error}.") from error
