"""Libraries without phoning home, and without keys in anything that we keep."""

import gc
import logging
import os
import re
import sys
import warnings
from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Final

_ENVIRONMENT: Final = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_OFFLINE_MODE": "true",
    "LITELLM_TELEMETRY": "False",
    "LITELLM_MODE": "PRODUCTION",  # otherwise it loads a .env file from the folders above
    "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime reports to its maker by default, and keeps a device id in the home
}
_SECRET_NAME: Final = re.compile(r"key|token|secret|password|credential|passwd|auth", re.IGNORECASE)
_KEY_SHAPE: Final = re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf|AIza|AKIA)[-_A-Za-z0-9*.]{8,}")
_URL_PASSWORD: Final = re.compile(r"(?<=://)[^/@\s]+@")


def set_quiet_environment() -> None:
    """Tell LiteLLM and onnxruntime, before they are imported, to fetch nothing and to report nothing."""
    os.environ.update(_ENVIRONMENT)


def spare_the_collector() -> None:
    """Keep the garbage collector from walking what is loaded now: libraries, which stay for life."""
    gc.collect()
    gc.freeze()


def load_litellm(tracing: tuple[str, ...] = ()) -> ModuleType:
    """Import LiteLLM (seconds, 200 MB: only where a model is really called) and switch off what is not asked for.

    Args:
        tracing: LiteLLM callbacks to switch on, such as `langfuse` or `otel`.
    """
    set_quiet_environment()
    warnings.filterwarnings("ignore", message=".*`ReadOnly` qualifier", category=UserWarning)
    first = "litellm" not in sys.modules
    import litellm

    if first:  # hundreds of thousands of objects: each walk of the collector stopped the event loop for 0.2 s
        spare_the_collector()
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.callbacks = list(tracing)
    logging.getLogger("LiteLLM").setLevel(logging.WARNING)
    module: ModuleType = litellm
    return module


def without_records() -> AbstractContextManager[object]:
    """Return a context in which LiteLLM makes no log record of a call.

    It makes one after each call for its callbacks, prices the call anew for it, and drops it where there are none:
    about a tenth of the call's processor time. LiteLLM does the same for calls of its own.
    """
    from litellm._internal_context import internal_sub_call

    silent: AbstractContextManager[object] = internal_sub_call()
    return silent


def redact(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return a text without any secret of the environment and without anything in the shape of a key.

    Providers repeat a wrong key in their error messages, sometimes shortened.
    """
    secrets = [value for name, value in environ.items() if len(value) >= 8 and _SECRET_NAME.search(name)]
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "[secret]")
    return _URL_PASSWORD.sub("[secret]@", _KEY_SHAPE.sub("[secret]", text))
