"""What calls will cost before they are made: tokens by LiteLLM's offline counter, which is approximate."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from answertrail_pipeline.models.pricing import cost_at
from answertrail_pipeline.models.provider import Provider
from answertrail_pipeline.models.types import ChatRequest, EmbedRequest
from answertrail_pipeline.settings import ModelRole

_SAFETY: Final = Decimal("1.3")
"""Offline counts of other makers' tokenizers can be a quarter off; a reservation must not be too small."""


@dataclass(frozen=True)
class CostRange:
    """Dollars, from the least to the most that is possible; None where a price is unknown, never 0."""

    low_usd: Decimal | None
    high_usd: Decimal | None

    def __add__(self, other: "CostRange") -> "CostRange":
        return CostRange(_sum(self.low_usd, other.low_usd), _sum(self.high_usd, other.high_usd))


NOTHING: Final = CostRange(Decimal(0), Decimal(0))


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
    high = cost_at(price, _safely(prompt_tokens), max_output_tokens)
    return Quote(prompt_tokens, max_output_tokens, CostRange(low, high))


def agent_cost_range(
    provider: Provider, role: ModelRole, questions: int, steps: int, first_prompt_tokens: int, tokens_a_step: int
) -> CostRange:
    """Return what an agent may cost over a set of questions: from one short call each to every step used.

    The high end holds whatever the agent does, because the loop stops there: step i (from 1) is asked with the
    first prompt and with what i - 1 steps have brought and said, and writes as much as it may.

    Args:
        steps: the most calls that the agent makes for one question.
        first_prompt_tokens: tokens of the first call: system prompt, tools, question.
        tokens_a_step: the most tokens that the results of one step add to the next prompt.
    """
    price = provider.prices.price_of(role.model)
    if price is None:
        return CostRange(None, None)
    grown = tokens_a_step + role.max_output_tokens
    asked = steps * first_prompt_tokens + grown * steps * (steps - 1) // 2
    low = cost_at(price, questions * first_prompt_tokens, 0, cached_tokens=questions * first_prompt_tokens)
    high = cost_at(price, _safely(questions * asked), questions * steps * role.max_output_tokens)
    return CostRange(min(low, cost_at(price, questions * first_prompt_tokens, 0)), high)


def _safely(tokens: int) -> int:
    return int(tokens * _SAFETY) + 1


def _sum(first: Decimal | None, second: Decimal | None) -> Decimal | None:
    return None if first is None or second is None else first + second
