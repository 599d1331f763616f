"""Time stamps as caption files write them."""

import re

# Hours may have any number of digits up to six; minutes and seconds one or two; fractions one to three.
STAMP = r"(?:([0-9]{1,6}):)?([0-9]{1,2}):([0-9]{1,2})(?:[.,]([0-9]{1,3}))?"
_STAMP = re.compile(STAMP + r"\Z")


def seconds(hours: str | None, minutes: str, secs: str, fraction: str | None) -> float | None:
    """Return the seconds that a stamp's parts say, or None where minutes or seconds are above 59.

    A short fraction is decimal: `,5` is half a second.
    """
    whole, minute = int(secs), int(minutes)
    if whole > 59 or minute > 59:
        return None
    milliseconds = int(fraction.ljust(3, "0")) if fraction else 0
    return (((int(hours) if hours else 0) * 60 + minute) * 60_000 + whole * 1000 + milliseconds) / 1000


def parse_stamp(stamp: str) -> float | None:
    """Return the seconds that `1:29:36.800`, `00:01,5` or `00:00:05` says; None where it is malformed.

    >>> parse_stamp("100:00:00.000"), parse_stamp("00:01.889"), parse_stamp("00:00:0,500")
    (360000.0, 1.889, 0.5)
    >>> parse_stamp("00:00:00.0000") is None
    True
    """
    match = _STAMP.match(stamp)
    return seconds(*match.groups()) if match else None
