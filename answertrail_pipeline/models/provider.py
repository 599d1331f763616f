"""One try at one call, through LiteLLM: what came back, or what kind of failure it was."""

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from email.utils import parsedate_to_datetime
from types import ModuleType
from typing import Any, Final

from answertrail_pipeline.models.errors import ErrorCode
from answertrail_pipeline.models.pricing import Prices
from answertrail_pipeline.models.quiet import load_litellm, redact
from answertrail_pipeline.models.strict_schema import strict_schema
from answertrail_pipeline.models.types import ChatRequest, EmbedPurpose, EmbedRequest, Message, Usage
from answertrail_pipeline.models.vectors import write_vectors
from answertrail_pipeline.settings import ModelRole

# LiteLLM calls a key that is not in the environment a server error; nothing was sent.
_NO_KEY: Final = re.compile(r"missing credentials|api[_ ]key", re.IGNORECASE)
EMBED_SECONDS: Final = 60.0
# What providers call the two purposes of an embedding; others make no difference.
_INPUT_TYPES: Final[dict[str, dict[EmbedPurpose, str]]] = {
    "cohere": {"document": "search_document", "query": "search_query"},
    "bedrock": {"document": "search_document", "query": "search_query"},
    "voyage": {"document": "document", "query": "query"},
    "nvidia_nim": {"document": "passage", "query": "query"},
    "jina_ai": {"document": "retrieval.passage", "query": "retrieval.query"},
}
# A 429 that no waiting mends; LiteLLM drops the provider's error code, so its words must tell.
_NO_CREDIT: Final = re.compile(r"insufficient_quota|current quota|billing|credit balance", re.IGNORECASE)


@dataclass(frozen=True)
class Answered:
    """What a provider sent: `reply` is what the ledger keeps, as JSON."""

    reply: Mapping[str, Any]
    finish_reason: str
    usage: Usage
    cost_usd: Decimal | None
    latency_ms: int


@dataclass
class TryFailedError(Exception):
    """One try that brought nothing.

    Attributes:
        can_retry: whether another try may help.
        pushes_back: whether it says that fewer calls should be in work.
        may_be_billed: the provider may have done the work: no HTTP status came back.
        retry_after: seconds that the provider asks to wait.
        for_everybody: every other call of this model would fail in the same way (a wrong key, an unknown model).
    """

    code: ErrorCode
    message: str
    can_retry: bool = False
    pushes_back: bool = False
    may_be_billed: bool = False
    retry_after: float | None = None
    for_everybody: bool = False


@dataclass
class Provider:
    """LiteLLM, imported at the first call and closed by its owner.

    Args:
        tracing: LiteLLM callbacks that were asked for.
    """

    prices: Prices
    tracing: tuple[str, ...] = ()
    _litellm: ModuleType | None = field(default=None, repr=False)

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
        """Close LiteLLM's connections."""
        if self._litellm is not None:
            await self._litellm.close_litellm_async_clients()

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
        try:
            async with asyncio.timeout(seconds):  # LiteLLM's own bounds each read, not a body that drips
                return await call(**parameters, timeout=seconds, num_retries=0, max_retries=0)
        except TimeoutError:
            message = f"{model} did not answer within {seconds:g} s (setting `timeout_seconds`)."
            raise TryFailedError(
                "timeout", message, can_retry=True, pushes_back=True, may_be_billed=True
            ) from None
        except Exception as error:  # noqa: BLE001  # LiteLLM raises provider SDKs' own types too
            raise classify(error, model) from None


def classify(error: Exception, model: str) -> TryFailedError:
    """Return what kind of failure an exception of LiteLLM is, without any key in its message."""
    said = redact(str(error)).replace("\n", " ")[:600]
    status, code, kind = _status(error), str(getattr(error, "code", "") or ""), type(error).__name__
    answered = _headers(error) is not None
    if not answered and _NO_KEY.search(said):
        message = f"{model} cannot be called: {said} {_way_out(401, code)}"
        return TryFailedError("permanent", message, for_everybody=True)
    if kind == "ContextWindowExceededError":
        return TryFailedError("too_long", f"The prompt does not fit the context of {model}: {said}")
    if kind == "ContentPolicyViolationError" or "content_filter" in code or "content_policy" in code:
        return TryFailedError("refused", f"The provider's filter declined: {said}")
    passing = _passing_code(kind, status, said)
    if passing:
        return TryFailedError(
            passing,
            f"{model} failed: {said}",
            can_retry=True,
            pushes_back=True,
            may_be_billed=passing != "rate" and not answered,
            retry_after=_retry_after(error),
        )
    return TryFailedError(
        "permanent",
        f"{model} refuses the call ({status}): {said} {_way_out(status or 0, code)}",
        for_everybody=status in (401, 402, 403, 404, 429),
    )


def _passing_code(kind: str, status: int | None, said: str) -> ErrorCode | None:
    """Return the code of a failure that another try may not meet, or None for one that stays."""
    if kind in ("Timeout", "APITimeoutError"):
        return "timeout"
    if status == 429:
        return None if _NO_CREDIT.search(said) else "rate"
    return "transient" if status is None or status >= 500 or status in (408, 409) else None


def _way_out(status: int, code: str) -> str:
    if status == 401:
        return "Set the provider's key in the environment (for example OPENAI_API_KEY)."
    if status in (402, 429) or "quota" in code:
        return "Add credit at the provider, or choose another `model` in [models]."
    if status in (403, 404):
        return "Check `model` and `api_base` of this role in [models]."
    return "Check this role in [models]: `model`, `temperature`, `reasoning_effort`, `max_output_tokens`."


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None)
    return int(status) if isinstance(status, int) or (isinstance(status, str) and status.isdigit()) else None


def _headers(error: Exception) -> Mapping[str, str] | None:
    headers = getattr(error, "litellm_response_headers", None)
    if headers is None:
        headers = getattr(getattr(error, "response", None), "headers", None)
    return headers or None


def _retry_after(error: Exception) -> float | None:
    """Return the seconds of a `Retry-After` header: a number, or a date."""
    headers = _headers(error) or {}
    said = next((value for name, value in headers.items() if name.lower() == "retry-after"), None)
    if said is None:
        return None
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(said).timestamp() - time.time())
    except ValueError:
        return None


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
