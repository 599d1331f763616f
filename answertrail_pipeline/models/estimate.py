"""What calls will cost before they are made: tokens by LiteLLM's offline counter, which is approximate."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from answertrail_pipeline.models.pricing import cost_at
from answertrail_pipeline.models.provider import Provider
from answertrail_pipeline.models.types import ChatRequest, EmbedRequest
from answertrail_pipeline.settings import ModelRole

_SAFETY: Final = Decimal("1.3")
"""Offline counts of other makers' tokenizers can be a quarter off; a reservation must not be too small."""
_ZERO: Final = Decimal(0)


@dataclass(frozen=True)
class CostRange:
    """Dollars, from the least to the most that is possible; None where a price is unknown, never 0."""

    low_usd: Decimal | None
    high_usd: Decimal | None

    def __add__(self, other: "CostRange") -> "CostRange":
        return CostRange(_sum(self.low_usd, other.low_usd), _sum(self.high_usd, other.high_usd))


NOTHING: Final = CostRange(_ZERO, _ZERO)


@dataclass(frozen=True)
class Quote:
    """What one try at a call may cost: from its prompt alone to all the output that it may write.

    Attributes:
        prompt_tokens: approximate.
        max_output_tokens: 0 for embeddings.
    """

    prompt_tokens: int
    max_output_tokens: int
    cost: CostRange


def chat_quote(provider: Provider, request: ChatRequest) -> Quote:
    """Return what one try at a chat call may cost."""
    body = provider.chat_parameters(request)
    counted = provider.litellm.token_counter(
        model=request.role.model, messages=body["messages"], tools=body.get("tools")
    )
    return _quote(provider, request.role.model, int(counted), request.role.max_output_tokens)


def embed_quote(provider: Provider, request: EmbedRequest) -> Quote:
    """Return what one try at an embedding call may cost."""
    count = provider.litellm.token_counter
    counted = sum(int(count(model=request.role.model, text=text)) for text in request.texts)
    return _quote(provider, request.role.model, counted, 0)


def _quote(provider: Provider, model: str, prompt_tokens: int, max_output_tokens: int) -> Quote:
    price = provider.prices.price_of(model)
    if price is None:
        return Quote(prompt_tokens, max_output_tokens, CostRange(None, None))
    low = cost_at(price, prompt_tokens, 0)
    high = _highest(provider, model, _safely(prompt_tokens), max_output_tokens)
    return Quote(prompt_tokens, max_output_tokens, CostRange(low, high))


def agent_cost_range(
    provider: Provider, role: ModelRole, questions: int, least: int, prompts: Sequence[int]
) -> CostRange:
    """Return what an agent may cost over a set of questions: from one short call each to every call it can make.

    The high end holds whatever the agent does: no prompt is longer than its loop can make it, or than the model
    reads where LiteLLM knows that, and every reply is as long as it may be. Tries without a reply are not in it.

    Args:
        least: tokens of the shortest prompt that a question is begun with.
        prompts: the most tokens of each prompt that one question can take.
    """
    price, window = provider.prices.price_of(role.model), provider.prices.window_of(role.model)
    if price is None:
        return CostRange(None, None)
    sure = int(least / _SAFETY)
    low = min(cost_at(price, sure, 0), cost_at(price, sure, 0, cached_tokens=sure))
    most = [min(_safely(tokens), window or _safely(tokens)) for tokens in prompts]
    high = sum((_highest(provider, role.model, each, role.max_output_tokens) for each in most), _ZERO)
    return CostRange(questions * low, questions * high)


def _highest(provider: Provider, model: str, prompt_tokens: int, completion_tokens: int) -> Decimal:
    """Return the dollars of a call of a model that has a price, nothing being cached."""
    price = provider.prices.price_of(model, prompt_tokens)
    if price is None:
        raise KeyError(model)
    return cost_at(price, prompt_tokens, completion_tokens)


def _safely(tokens: int) -> int:
    return int(tokens * _SAFETY) + 1


def _sum(first: Decimal | None, second: Decimal | None) -> Decimal | None:
    return None if first is None or second is None else first + second
