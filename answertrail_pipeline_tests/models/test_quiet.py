"""LiteLLM stays out of commands that need no model, and calls nobody but the configured endpoint."""

import os
import subprocess
import sys
from collections.abc import Coroutine

import pytest
from pydantic import ValidationError

from answertrail_pipeline.models.pricing import Prices
from answertrail_pipeline.models.provider import Provider
from answertrail_pipeline.models.quiet import redact
from answertrail_pipeline.models.types import ChatRequest, Message
from answertrail_pipeline.settings import ModelRole
from answertrail_pipeline_tests.models.server import ScriptedServer

NO_IMPORT = """
import sys
import answertrail_pipeline.tasks.registry as registry
registry.all_tasks()
import answertrail_pipeline.models.dry, answertrail_pipeline.models.presets
from answertrail_pipeline.tasks.check_model import check
import answertrail_pipeline.cli.main, answertrail_pipeline.definitions
heavy = {"litellm", "openai", "numpy", "pandas", "scipy", "onnxruntime"} & set(sys.modules)
assert not heavy, heavy
"""

ONE_CALL = """
import asyncio, os, socket, sys
from decimal import Decimal
allowed = int(sys.argv[1].rsplit(":", 1)[1].split("/")[0])
connect = socket.socket.connect
def guarded(self, address):
    if self.family != socket.AF_UNIX and (address[0] != "127.0.0.1" or address[1] != allowed):
        print("CONNECT", address, flush=True)
        os._exit(3)
    return connect(self, address)
socket.socket.connect = socket.socket.connect_ex = guarded
def resolve(*given, **named):
    if given[0] not in ("127.0.0.1", None):
        print("RESOLVE", given, flush=True)
        os._exit(3)
    return real(*given, **named)
real, socket.getaddrinfo = socket.getaddrinfo, resolve
from answertrail_pipeline.models.pricing import Prices
from answertrail_pipeline.models.provider import Provider
from answertrail_pipeline.models.types import ChatRequest, EmbedRequest, Message
from answertrail_pipeline.settings import EmbedRole, ModelRole
async def main():
    provider = Provider(Prices({}, lambda: provider.litellm))
    role = ModelRole(model="openai/gpt-5.4", api_base=sys.argv[1])
    messages = (Message(role="user", content="hello"),)
    request = ChatRequest(role=role, messages=messages, response_schema={"type": "object"})
    answered = await provider.chat(request)
    assert answered.reply["content"] == "ok" and answered.cost_usd, answered
    from answertrail_pipeline.models.estimate import chat_quote
    assert chat_quote(provider, request).prompt_tokens > 0
    embed = EmbedRole(model="openai/text-embedding-3-small", api_base=sys.argv[1])
    await provider.embed(EmbedRequest(role=embed, texts=("a",)))
    await asyncio.sleep(2)  # LiteLLM's background workers
    await provider.close()
asyncio.run(main())
"""


def test_nothing_heavy_is_imported_for_what_needs_no_model() -> None:
    subprocess.run([sys.executable, "-c", NO_IMPORT], check=True)


def test_no_connection_but_to_the_configured_endpoint(scripted_server: ScriptedServer) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LITELLM")}
    command = [sys.executable, "-c", ONE_CALL, scripted_server.url]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(scripted_server.calls) == 2


@pytest.mark.parametrize("traced", [False, True])
async def test_log_records_are_made_only_for_those_who_trace(
    scripted_server: ScriptedServer, traced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = Provider(Prices({}, lambda: provider.litellm))
    assert provider.litellm.callbacks == []
    from litellm.litellm_core_utils.litellm_logging import Logging

    made: list[bool] = []

    async def record(*_: object, **__: object) -> None:
        pass

    def begin(*given: object, **named: object) -> Coroutine[object, object, None]:
        made.append(True)
        return record(*given, **named)

    monkeypatch.setattr(Logging, "async_success_handler", begin)
    provider.tracing = ("otel",) if traced else ()
    role = scripted_server.role("openai/gpt-5.4", timeout_seconds=60)
    answered = await provider.chat(ChatRequest(role=role, messages=(Message(role="user", content="hello"),)))
    await provider.close()
    assert answered.cost_usd, "its price is told either way"
    assert made == [True] * traced


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("key s3cr3t-value-1 is wrong", "key [secret] is wrong"),
        ("Incorrect API key provided: sk-abc12*****xyz9.", "Incorrect API key provided: [secret]"),
        ("http://user:password@host/v1 failed", "http://[secret]@host/v1 failed"),
        ("nothing to hide here", "nothing to hide here"),
    ],
)
def test_secrets_are_taken_out_of_texts(text: str, clean: str) -> None:
    assert redact(text, {"MY_API_KEY": "s3cr3t-value-1", "HOME": "nothing to hide here"}) == clean


def test_a_url_with_a_password_is_refused() -> None:
    with pytest.raises(ValidationError, match="only from the environment"):
        ModelRole(model="openai/m", api_base="https://user:password@host/v1")
    assert ModelRole(model="openai/m", api_base="https://host/v1/a@b").api_base == "https://host/v1/a@b"
