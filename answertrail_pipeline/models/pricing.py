"""What tokens cost: a declared price, else LiteLLM's bundled map, else unknown, which is never 0."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import ModuleType
from typing import Any

from answertrail_pipeline.models.types import Usage
from answertrail_pipeline.settings import PriceSettings

_MILLION = Decimal(1_000_000)
_LONG = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")


@dataclass(frozen=True)
class Prices:
    """Prices of models.

    Args:
        declared: by model name, from the settings; these win.
        litellm: gives LiteLLM; only asked for a model without a declared price.
    """

    declared: Mapping[str, PriceSettings]
    litellm: Callable[[], ModuleType]

    def price_of(self, model: str, prompt_tokens: int = 0) -> PriceSettings | None:
        """Return the price of a model for prompts so long, or None where nobody knows it."""
        if model in self.declared:
            return self.declared[model]
        info = self._listed(model)
        tier = _tier(info, prompt_tokens)
        asked, made = info.get(f"input_cost_per_token{tier}"), info.get(f"output_cost_per_token{tier}")
        if asked is None:
            return None
        cached = info.get(f"cache_read_input_token_cost{tier}")
        return PriceSettings(
            input_per_million=_per_million(asked),
            output_per_million=_per_million(made or 0),
            cached_input_per_million=None if cached is None else _per_million(cached),
        )

    def window_of(self, model: str) -> int | None:
        """Return how many tokens a prompt of the model may have, or None where LiteLLM does not know."""
        window = self._listed(model).get("max_input_tokens")
        return int(window) if window else None

    def _listed(self, model: str) -> Mapping[str, Any]:
        """Return what LiteLLM's bundled list says of a model; nothing where it is not in it."""
        try:
            listed: Mapping[str, Any] = self.litellm().get_model_info(model)
        except Exception as error:  # LiteLLM raises a bare Exception for a model not in its map
            if "isn't mapped" in str(error) or "not mapped" in str(error):
                return {}
            raise
        return listed

    def cost_of(self, model: str, usage: Usage, response: Any) -> Decimal | None:
        """Return what a call cost, or None where the price or the tokens are unknown.

        LiteLLM's own sum is taken where no price is declared: it knows tiers and cached and reasoning tokens.
        """
        declared = self.declared.get(model)
        if declared is None:
            cost = (getattr(response, "_hidden_params", None) or {}).get("response_cost")
            if cost is None or (not cost and self.price_of(model) is None):
                return None
            return Decimal(str(cost)).quantize(Decimal("1e-8"))
        if usage.prompt_tokens is None:
            return None
        return cost_at(declared, usage.prompt_tokens, usage.completion_tokens or 0, usage.cached_tokens or 0)


def cost_at(price: PriceSettings, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> Decimal:
    """Return dollars: tokens times price, cached ones at their own price where there is one."""
    cached_price = price.cached_input_per_million
    if cached_price is None:
        cached_price = price.input_per_million
    dollars = (
        (prompt_tokens - cached_tokens) * price.input_per_million
        + cached_tokens * cached_price
        + completion_tokens * price.output_per_million
    ) / _MILLION
    return dollars.quantize(Decimal("1e-8"))


def _tier(listed: Mapping[str, Any], prompt_tokens: int) -> str:
    """Return the ending of LiteLLM's names for the price of long prompts, such as `_above_200k_tokens`."""
    found = {name: _LONG.fullmatch(name) for name, price in listed.items() if price is not None}
    bounds = [int(match[1]) for match in found.values() if match and prompt_tokens > 1000 * int(match[1])]
    return f"_above_{max(bounds)}k_tokens" if bounds else ""


def _per_million(per_token: float) -> Decimal:
    return (Decimal(str(per_token)) * _MILLION).normalize()
