"""Numbers as JSON files write them."""

import math


def as_seconds(value: object) -> float | None:
    """Return a finite number of seconds, from a number or a string of one; None for anything else.

    >>> as_seconds("12.5"), as_seconds(None), as_seconds(True), as_seconds("nan")
    (12.5, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and abs(number) < MAX_SECONDS else None


MAX_SECONDS = 3600.0 * 1_000_000
"""Above a million hours a number is no time."""
