"""One way to turn values into a stable fingerprint, the same on every machine and in every process."""

import hashlib
import json
from typing import Any


def fingerprint(*parts: Any) -> str:
    """Return the SHA-256 (hex) of `parts` as canonical JSON.

    Args:
        parts: JSON values; mappings are ordered by key, so their insertion order does not matter.

    Raises:
        TypeError: a part is not a JSON value (a silent `str()` would hide unstable reprs).
        ValueError: a part holds NaN or an infinity.
    """
    canonical = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def text_sha256(text: str) -> str:
    """Return the SHA-256 (hex) of a text's UTF-8 bytes: half of a chunk text's key."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def stable_seed(*parts: Any) -> int:
    """Return a 64-bit seed for a random generator, derived from a stable key."""
    return int(fingerprint(*parts)[:16], 16)
