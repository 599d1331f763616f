"""What goes through the door: requests, replies, usage, and on whose account."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from answertrail_pipeline.settings import EmbedRole, ModelRole


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ToolCall(_Frozen):
    """A tool call as the model wrote it; `arguments` may be malformed JSON."""

    id: str
    name: str
    arguments: str


class Message(_Frozen):
    """One message of a chat."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


class Tool(_Frozen):
    """A tool that the model may call; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any]


class ChatRequest(_Frozen):
    """One chat call, whole: everything here is in the ledger's key.

    Attributes:
        salt: repetition and epoch of an agent's call; None for judge and gold calls, which are never repeated.
        schema: JSON schema that the provider should enforce on the reply.
    """

    role: ModelRole
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    tool_choice: Literal["auto", "required", "none"] = "auto"
    response_schema: dict[str, Any] | None = None
    salt: str | None = None


EmbedPurpose = Literal["document", "query"]


class EmbedRequest(_Frozen):
    """One embedding call, whole: everything here is in the ledger's key."""

    role: EmbedRole
    texts: tuple[str, ...]
    purpose: EmbedPurpose = "document"


class Usage(_Frozen):
    """Tokens of one call; None where the provider did not say."""

    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None


NO_USAGE = Usage(prompt_tokens=0, cached_tokens=0, completion_tokens=0, reasoning_tokens=0)
"""Of work that no model did."""


def add_usage(first: Usage, second: Usage) -> Usage:
    """Return the sum of two calls; None where either did not say."""
    names = Usage.model_fields
    pairs = {name: (getattr(first, name), getattr(second, name)) for name in names}
    return Usage(**{name: None if None in pair else sum(pair) for name, pair in pairs.items()})


class ChatReply(_Frozen):
    """What came back, from the provider or from the ledger."""

    call_key: str
    content: str | None
    tool_calls: tuple[ToolCall, ...] = ()
    refusal: str | None = None
    finish_reason: str = "stop"
    usage: Usage = Usage()
    cost_usd: Decimal | None = None
    from_ledger: bool = False


@dataclass(frozen=True)
class Account:
    """On whose account a call is made: for money and for lineage, never part of the ledger's key."""

    channel: str
    stage: str
    unit_key: str
    run_key: str | None = None
    arm: str | None = None


JsonObject = Mapping[str, Any]
