"""The periods of a span: as fine as the budget of chunks can give each of them a floor."""

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count

from answertrail_pipeline.retrieval.rankings import Period

FLOOR_SHARE = 0.4
"""At most this share of the budget goes to floors; at 80% nugget coverage falls (docs/retrieval.md)."""


def make_periods(since: date, until: date, floor: int, budget: int) -> list[Period]:
    """Cut a span of days into months, or quarters, or years, or as many years as needed.

    Calendar borders inside, the span's own at its ends.

    Args:
        floor: chunks that each period is to get.
        budget: chunks in all.
    """
    most = max(1, int(FLOOR_SHARE * budget) // max(1, floor))
    for months in _grains():
        if _month(until) // months - _month(since) // months < most:
            return list(_cut(since, until, months))
    raise AssertionError("grains grow without end")


def _grains() -> Iterator[int]:
    """Yield lengths in months that divide the calendar: 1, 3, 12, 24, 48, ..."""
    yield 1
    yield 3
    yield from (12 * 2**power for power in count())


def _cut(since: date, until: date, months: int) -> Iterator[Period]:
    at = _month(since) // months * months
    start = since
    while start <= until:
        at += months
        border = date(at // 12, at % 12 + 1, 1) if at // 12 <= date.max.year else date.max
        end = min(until, border - timedelta(days=1))
        yield Period(start, end, _name(start, months))
        start = border


def _month(day: date) -> int:
    return day.year * 12 + day.month - 1


def _name(start: date, months: int) -> str:
    if months == 1:
        return f"{start:%Y-%m}"
    if months == 3:
        return f"{start.year} Q{(start.month - 1) // 3 + 1}"
    if months == 12:
        return f"{start.year}"
    first = start.year * 12 // months * months // 12
    return f"{first}-{first + months // 12 - 1}"
