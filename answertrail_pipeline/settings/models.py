"""Who does each piece of model work, and what it costs."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from answertrail_pipeline.settings.strict import Strict


def _without_credentials(url: str) -> str:
    if "@" in url.partition("://")[2].partition("/")[0]:
        raise ValueError("keys and passwords come only from the environment, never from a URL of this file")
    return url


ApiBase = Annotated[str, AfterValidator(_without_credentials)]


class ModelRole(Strict):
    """A model in one role. Every field is part of the fingerprint of what the model makes."""

    model: str = "baseline"
    """`baseline` runs the task's rules; anything else is a LiteLLM model name."""
    family: str | None = None
    """Declared family, where the name does not tell (a proxy's alias, a fine-tune)."""
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high"] | None = None
    temperature: float | None = Field(None, ge=0, le=2)
    max_output_tokens: int = Field(4000, gt=0)
    api_base: ApiBase | None = None
    enforce_schema: bool | None = None
    """Whether the provider is asked to enforce the reply's schema; as LiteLLM's model list says where absent."""
    timeout_seconds: float = Field(120, gt=0)

    @property
    def is_baseline(self) -> bool:
        """Whether this role runs rules and no model."""
        return self.model == "baseline"


class EmbedRole(Strict):
    """The embedding model: a packaged one by its short name, or any LiteLLM embedding model."""

    model: str = "minilm-int8"
    api_base: ApiBase | None = None
    dimensions: int | None = Field(None, gt=0)


class PriceSettings(Strict):
    """A model's price in US dollars per million tokens, for models that LiteLLM's bundled list does not know."""

    input_per_million: Decimal = Field(ge=0)
    output_per_million: Decimal = Field(Decimal(0), ge=0)
    cached_input_per_million: Decimal | None = Field(None, ge=0)


class ModelsSettings(Strict):
    """Who does each piece of model work."""

    extract: ModelRole = ModelRole()
    select: ModelRole = ModelRole()
    compose: ModelRole = ModelRole()
    nuggets: ModelRole = ModelRole()
    assertions: ModelRole = ModelRole()
    judge: ModelRole = ModelRole()
    agent: ModelRole = ModelRole()
    embed: EmbedRole = EmbedRole()
    max_concurrency: int = Field(32, gt=0)
    """Calls of one model at once, over all processes; the provider's push-back lowers it by itself."""
    prices: dict[str, PriceSettings] = Field(default_factory=dict)
    """By model name; wins over LiteLLM's bundled list."""
    tracing: tuple[str, ...] = ()
    """LiteLLM callbacks, such as `langfuse` or `otel` (docs/models.md)."""
