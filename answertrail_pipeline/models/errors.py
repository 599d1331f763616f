"""Why a model call brought no usable result."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.models.types import NO_USAGE, Usage

ErrorCode = Literal[
    "rate",  # the provider kept pushing back until patience ran out
    "transient",  # 5xx, resets, unreadable bodies, after every try
    "timeout",
    "permanent",  # a wrong key, model or parameter: trying again cannot help
    "too_long",  # the prompt does not fit the model's context
    "refused",  # the model or its provider's filter declined
    "truncated",  # finish reason `length`: the reply is cut off
    "schema",  # an object that does not fit the task's output, also after a repair call
    "no_valid_object",  # no JSON object at all, also after a repair call
    "budget",
    "interrupted",
]


class ModelError(UnitError):
    """A model call that brought no usable result: the unit fails with a reason, nothing is guessed.

    Attributes:
        code: what kind of failure, for counting and for the reason of an unscored verdict.
        raw_replies: the replies as they came, oldest first; empty where none came.
        usage, cost_usd: what those replies took: a failure costs too.
    """

    code: ErrorCode

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        raw_replies: Sequence[str] = (),
        usage: Usage = NO_USAGE,
        cost_usd: Decimal | None = Decimal(0),
    ) -> None:
        super().__init__(code, message)
        self.raw_replies = tuple(raw_replies)
        self.usage = usage
        self.cost_usd = cost_usd
