"""What a call will cost before it is made: tokens by LiteLLM's offline counter, which is approximate."""

from decimal import Decimal
from typing import Final

from answertrail_pipeline.models.pricing import cost_at
from answertrail_pipeline.models.provider import Provider
from answertrail_pipeline.models.types import ChatRequest

_SAFETY: Final = Decimal("1.3")
"""Offline counts of other makers' tokenizers were up to a quarter off; a reservation must not be too small."""


def prompt_tokens(provider: Provider, request: ChatRequest) -> int:
    """Return about how many tokens a request's messages, tools and schema have."""
    body = provider.chat_parameters(request)
    counted = provider.litellm.token_counter(
        model=request.role.model, messages=body["messages"], tools=body.get("tools")
    )
    return int(counted)


def highest_chat_cost(provider: Provider, request: ChatRequest) -> Decimal | None:
    """Return the most that one try can cost in dollars: the prompt and all output that is allowed."""
    price = provider.prices.price_of(request.role.model)
    if price is None:
        return None
    counted = int(prompt_tokens(provider, request) * _SAFETY) + 1
    return cost_at(price, counted, request.role.max_output_tokens)
