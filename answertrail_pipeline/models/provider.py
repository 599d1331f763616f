"""One try at one call, through LiteLLM: what came back, or what kind of failure it was."""

import asyncio
import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from decimal import Decimal
from types import ModuleType
from typing import Any, Final

from answertrail_pipeline.models.failures import TryFailedError, classify
from answertrail_pipeline.models.pricing import Prices
from answertrail_pipeline.models.quiet import load_litellm, without_records
from answertrail_pipeline.models.strict_schema import strict_schema
from answertrail_pipeline.models.types import ChatRequest, EmbedPurpose, EmbedRequest, Message, Usage
from answertrail_pipeline.models.vectors import write_vectors
from answertrail_pipeline.settings import ModelRole

EMBED_SECONDS: Final = 60.0
# What providers call the two purposes of an embedding; others make no difference.
_INPUT_TYPES: Final[dict[str, dict[EmbedPurpose, str]]] = {
    "cohere": {"document": "search_document", "query": "search_query"},
    "bedrock": {"document": "search_document", "query": "search_query"},
    "voyage": {"document": "document", "query": "query"},
    "nvidia_nim": {"document": "passage", "query": "query"},
    "jina_ai": {"document": "retrieval.passage", "query": "retrieval.query"},
}


@dataclass(frozen=True)
class Answered:
    """What a provider sent: `reply` is what the ledger keeps, as JSON."""

    reply: Mapping[str, Any]
    finish_reason: str
    usage: Usage
    cost_usd: Decimal | None
    latency_ms: int


@dataclass
class Provider:
    """LiteLLM, imported at the first call and closed by its owner.

    Args:
        tracing: LiteLLM callbacks that were asked for.
    """

    prices: Prices
    tracing: tuple[str, ...] = ()
    _litellm: ModuleType | None = field(default=None, repr=False)
    _called: bool = field(default=False, repr=False)

    @property
    def litellm(self) -> ModuleType:
        """LiteLLM, imported now if it was not."""
        if self._litellm is None:
            self._litellm = load_litellm(self.tracing)
        return self._litellm

    async def chat(self, request: ChatRequest) -> Answered:
        """Make a chat call once.

        Raises:
            TryFailedError: nothing usable came back.
        """
        role = request.role
        parameters = self.chat_parameters(request)
        started = time.perf_counter()
        response = await self._try(self.litellm.acompletion, role.model, role.timeout_seconds, parameters)
        latency = _milliseconds(started)
        choices = response.choices
        if not choices:
            raise TryFailedError("transient", f"{role.model} sent no choice.", can_retry=True, may_be_billed=True)
        message, usage = choices[0].message, _usage(getattr(response, "usage", None))
        calls = [
            {
                "id": call.id or f"call_{number}",
                "name": call.function.name or "",
                "arguments": call.function.arguments,
            }
            for number, call in enumerate(message.tool_calls or ())
        ]
        extra = getattr(message, "provider_specific_fields", None) or {}
        refusal = getattr(message, "refusal", None) or extra.get("refusal")
        return Answered(
            reply={"content": message.content, "tool_calls": calls, "refusal": refusal},
            finish_reason=choices[0].finish_reason or "stop",
            usage=usage,
            cost_usd=self.prices.cost_of(role.model, usage, response),
            latency_ms=latency,
        )

    async def embed(self, request: EmbedRequest) -> Answered:
        """Have texts embedded once.

        Raises:
            TryFailedError: nothing usable came back.
        """
        role = request.role
        started = time.perf_counter()
        response = await self._try(
            self.litellm.aembedding, role.model, EMBED_SECONDS, self._embed_parameters(request)
        )
        latency = _milliseconds(started)
        vectors = [row["embedding"] for row in sorted(response.data, key=lambda row: row["index"])]
        if len(vectors) != len(request.texts) or len({len(vector) for vector in vectors}) > 1:
            problem = (
                f"{role.model} sent {len(vectors)} vectors for {len(request.texts)} texts, or of unequal length."
            )
            raise TryFailedError("transient", problem, can_retry=True, may_be_billed=True)
        usage = _usage(getattr(response, "usage", None))
        return Answered(
            reply={"content": write_vectors(vectors), "tool_calls": [], "refusal": None},
            finish_reason="stop",
            usage=usage,
            cost_usd=self.prices.cost_of(role.model, usage, response),
            latency_ms=latency,
        )

    def _embed_parameters(self, request: EmbedRequest) -> dict[str, Any]:
        role = request.role
        provider = self.litellm.get_llm_provider(role.model)[1]
        optional = {
            "api_base": role.api_base,
            "dimensions": role.dimensions,
            "input_type": _INPUT_TYPES.get(provider, {}).get(request.purpose),
        }
        return {
            "model": role.model,
            "input": list(request.texts),
            **{name: value for name, value in optional.items() if value is not None},
        }

    async def close(self) -> None:
        """Close LiteLLM's connections, if any was opened here."""
        if self._litellm is not None and self._called:
            await self._litellm.close_litellm_async_clients()
            # It keeps the closed ones: the first call of whoever comes next would fail, and might count as billed.
            self._litellm.in_memory_llm_clients_cache.flush_cache()

    def enforces(self, role: ModelRole) -> bool:
        """Return whether the provider is asked to enforce a schema: as declared, else as LiteLLM's list says."""
        if role.enforce_schema is not None:
            return role.enforce_schema
        return bool(self.litellm.supports_response_schema(role.model))

    def chat_parameters(self, request: ChatRequest) -> dict[str, Any]:
        """Return a request in LiteLLM's words."""
        role = request.role
        parameters: dict[str, Any] = {
            "model": role.model,
            "messages": [_message(message) for message in request.messages],
            "max_tokens": role.max_output_tokens,
        }
        optional = {
            "api_base": role.api_base,
            "temperature": role.temperature,
            "reasoning_effort": role.reasoning_effort,
        }
        parameters.update({name: value for name, value in optional.items() if value is not None})
        if request.tools:
            parameters["tools"] = [{"type": "function", "function": tool.model_dump()} for tool in request.tools]
            parameters["tool_choice"] = request.tool_choice
        if request.response_schema is not None and self.enforces(role):
            schema, strict = strict_schema(request.response_schema)
            parameters["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": schema, "strict": strict},
            }
        return parameters

    async def _try(self, call: Any, model: str, seconds: float, parameters: dict[str, Any]) -> Any:
        self._called = True
        try:
            async with asyncio.timeout(seconds):  # LiteLLM's own bounds each read, not a body that drips
                with nullcontext() if self.tracing else without_records():
                    return await call(**parameters, timeout=seconds, num_retries=0, max_retries=0)
        except TimeoutError:
            message = f"{model} did not answer within {seconds:g} s (setting `timeout_seconds`)."
            raise TryFailedError(
                "timeout", message, can_retry=True, pushes_back=True, may_be_billed=True
            ) from None
        except Exception as error:  # noqa: BLE001  # LiteLLM raises provider SDKs' own types too
            raise classify(error, model) from None


def _message(message: Message) -> dict[str, Any]:
    made: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        made["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        made["tool_call_id"] = message.tool_call_id
    return made


def _usage(said: Any) -> Usage:
    asked, made = getattr(said, "prompt_tokens_details", None), getattr(said, "completion_tokens_details", None)
    return Usage(
        prompt_tokens=getattr(said, "prompt_tokens", None),
        cached_tokens=getattr(asked, "cached_tokens", None),
        completion_tokens=getattr(said, "completion_tokens", None),
        reasoning_tokens=getattr(made, "reasoning_tokens", None),
    )


def _milliseconds(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)
