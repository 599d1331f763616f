"""What kinds of failure a try at a call can be, read from what LiteLLM raises."""

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final

from answertrail_pipeline.models.errors import ErrorCode
from answertrail_pipeline.models.quiet import redact

# LiteLLM calls a key that is not in the environment a server error; nothing was sent.
_NO_KEY: Final = re.compile(r"missing credentials|api[_ ]key", re.IGNORECASE)
# A 429 that no waiting mends; LiteLLM drops the provider's error code, so its words must tell.
_NO_CREDIT: Final = re.compile(r"insufficient_quota|current quota|billing|credit balance", re.IGNORECASE)


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
