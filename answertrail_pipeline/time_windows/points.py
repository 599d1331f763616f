"""One end of a window: a year, a part of it, a month, a day ("late Q3 2025", "3Q25", "5-7 May 2025")."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from answertrail_pipeline.time_windows.words import (
    COUNTS,
    EDGES,
    FILLERS,
    HALVES,
    LASTS,
    MONTHS,
    ORDINALS,
    PARTS,
    QUARTERS,
    SEASONS,
    Token,
    are_joined,
    number_at,
    skip,
    word_at,
    words,
)

FIRST_YEAR, LAST_YEAR = 1900, 2199
CENTURY_TURN = 70
"""`'69` is 2069, `'70` is 1970."""

MAX_YEARS = 50
"""`2024-26` is three years, `2024-12` a month, `2024-05` no way back."""


class Months(NamedTuple):
    """Whole months of a year not yet known: `first` is 0 for January; winter runs over the year's end."""

    first: int
    length: int


class Days(NamedTuple):
    """Days of one month; a `first` below 0 counts from its end, `last` None is its last day."""

    month: int
    first: int
    last: int | None


class Point(NamedTuple):
    """A span and its year, if it has one of its own."""

    span: Months | Days
    year: int | None


YEAR = Months(0, 12)
_WINTER = Months(11, 3)
_SCALED = {YEAR, Months(0, 4), Months(4, 4), Months(8, 4)}
"""Spans of a year that a decade has too ("the late 1990s")."""


def point_at(tokens: Sequence[Token], i: int) -> tuple[Point, int] | None:
    """Return the longest point that starts at a place, and where it stops."""
    if _is_fiscal(tokens, i):
        return None
    numeric = _numeric_at(tokens, i)
    if numeric:
        return numeric
    span, after = _span_at(tokens, i)
    if span is None:
        return None
    behind = skip(tokens, after, FILLERS | words(", - /" if after > i else ","))
    year = _year_at(tokens, behind)
    if year is None:
        return (Point(span, None), after) if span != YEAR else None
    return _with_year(tokens, span, year, behind + 1)


def _with_year(tokens: Sequence[Token], span: Months | Days, year: int, after: int) -> tuple[Point, int]:
    """Read what may stand behind a year: `2025 Q3`, `1990s`, `winter 2025/26`, `2024-26`."""
    if span == YEAR and (quarter := _quarter_behind(tokens, after)):
        return Point(quarter[0], year), quarter[1]
    if isinstance(span, Months) and span in _SCALED and year % 10 == 0 and _has_plural(tokens, after):
        return Point(Months(10 * span.first, 10 * span.length), year), after + 1
    years = _years_behind(tokens, after, year)
    if years and span == YEAR and len(word_at(tokens, after + 1)) == 2:
        return Point(Months(0, 12 * (years + 1)), year), after + 2
    if years == 1 and span == _WINTER:
        return Point(span, year), after + 2
    return Point(span, year), after


def _years_behind(tokens: Sequence[Token], i: int, year: int) -> int | None:
    """Return how many years later the second of two joined years is: 1 for `2025/26` and `2025-2026`."""
    second = number_at(tokens, i + 1, 0, LAST_YEAR)
    if second is None or word_at(tokens, i) not in {"-", "/"} or not are_joined(tokens, i - 1, 3):
        return None
    later = (second - year) % 100 if len(word_at(tokens, i + 1)) == 2 else second - year
    return later if 0 < later < MAX_YEARS else None


def _quarter_behind(tokens: Sequence[Token], i: int) -> tuple[Months, int] | None:
    """Read `Q3` behind its year, also over `-` or `/`; one that has a year of its own belongs to that."""
    found = _quarter_at(tokens, i + (word_at(tokens, i) in {"-", "/"}))
    if found and _year_at(tokens, skip(tokens, found[1], FILLERS | words("- /"))) is None:
        return found
    return None


def _has_plural(tokens: Sequence[Token], i: int) -> bool:
    return word_at(tokens, i) == "s" and are_joined(tokens, i - 1, 2)


def _is_fiscal(tokens: Sequence[Token], i: int) -> bool:
    """Whether a time counts in somebody's fiscal year: when that begins is not written."""
    before = i - 2 if word_at(tokens, i - 1) in {"year", "-", "quarter"} else i - 1
    return word_at(tokens, before) in {"fy", "fiscal"}


def _year_at(tokens: Sequence[Token], i: int) -> int | None:
    """Read `2025`, `'25`, and the `25` of `3Q25`."""
    year = number_at(tokens, i, FIRST_YEAR, LAST_YEAR)
    if year is not None:
        return year
    short = number_at(tokens, i, 0, 99)
    if short is None or not word_at(tokens, i).isdecimal() or len(word_at(tokens, i)) != 2:
        return None
    marked = word_at(tokens, i - 1) == "'" or (
        word_at(tokens, i - 1) in {"q", "h"} and number_at(tokens, i - 2, 1, 4) and are_joined(tokens, i - 2, 3)
    )
    if not marked or not are_joined(tokens, i - 1, 2):
        return None
    return short + (2000 if short < CENTURY_TURN else 1900)


def _numeric_at(tokens: Sequence[Token], i: int) -> tuple[Point, int] | None:
    """Read `2025-09`, `2025-09-14`, `2025/09/14`, `09/2025`, `14.09.2025`, `2025年9月`, `2025年9月14日`.

    `03/04/2025` is two days to two readers, and none here.
    """
    year, sign = number_at(tokens, i, FIRST_YEAR, LAST_YEAR), word_at(tokens, i + 1)
    if year is None:
        return (
            None
            if i and are_joined(tokens, i - 1, 2) and word_at(tokens, i - 1) in "/."
            else _numeric_end(tokens, i)
        )
    month = number_at(tokens, i + 2, 1, 12)
    if sign == "年":
        return _east_asian(tokens, i, year, month)
    if sign not in {"-", "/"} or month is None or len(word_at(tokens, i + 2)) != 2 or not are_joined(tokens, i, 3):
        return None
    day = number_at(tokens, i + 4, 1, 31)
    if day and word_at(tokens, i + 3) == sign and are_joined(tokens, i, 5) and _is_date(year, month, day):
        return Point(Days(month, day, day), year), i + 5
    if sign == "/" and month == (year + 1) % 100:  # "2011/12" is a season
        return None
    return Point(Months(month - 1, 1), year), i + 3


def _east_asian(tokens: Sequence[Token], i: int, year: int, month: int | None) -> tuple[Point, int]:
    if month is None:
        return Point(YEAR, year), i + 2
    day = number_at(tokens, i + 4, 1, 31)
    if day and word_at(tokens, i + 3) == "月" and _is_date(year, month, day):
        return Point(Days(month, day, day), year), i + 6
    return Point(Months(month - 1, 1), year), i + 4


def _numeric_end(tokens: Sequence[Token], i: int) -> tuple[Point, int] | None:
    month, year = number_at(tokens, i, 1, 12), number_at(tokens, i + 2, FIRST_YEAR, LAST_YEAR)
    if month and year and word_at(tokens, i + 1) == "/" and are_joined(tokens, i, 3):
        return Point(Months(month - 1, 1), year), i + 3
    day, month = number_at(tokens, i, 1, 31), number_at(tokens, i + 2, 1, 12)
    year = number_at(tokens, i + 4, FIRST_YEAR, LAST_YEAR)
    dotted = word_at(tokens, i + 1) == word_at(tokens, i + 3) == "." and are_joined(tokens, i, 5)
    if dotted and day and month and year and _is_date(year, month, day):
        return Point(Days(month, day, day), year), i + 5
    return None


def _is_date(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _span_at(tokens: Sequence[Token], i: int) -> tuple[Months | Days | None, int]:
    """Read what stands before a year: a part of it, a month with or without days, a season, a quarter, a half."""
    word = word_at(tokens, i)
    if word == "year" and word_at(tokens, i + 1) == "-" and word_at(tokens, i + 2) in EDGES:
        return _part(word_at(tokens, i + 2), YEAR), i + 3
    if word in PARTS or word in EDGES:
        behind = skip(tokens, i + 1, FILLERS | {"-"})
        if word_at(tokens, behind) == "year":
            return _part(word, YEAR), behind + 1
        whole, after = _unit_at(tokens, behind)
        if whole is None:
            return _part(word, YEAR), i + 1
        return _part(word, whole), after
    return _unit_at(tokens, i) if number_at(tokens, i, FIRST_YEAR, LAST_YEAR) is None else (YEAR, i)


def _unit_at(tokens: Sequence[Token], i: int) -> tuple[Months | Days | None, int]:
    word = word_at(tokens, i)
    if word in MONTHS:
        month = MONTHS[word] + 1
        days = _days_at(tokens, skip(tokens, i + 1, words(".")))
        return (
            (Days(month, *days[0]), days[1]) if days else (Months(month - 1, 1), skip(tokens, i + 1, words(".")))
        )
    days = _days_at(tokens, i)
    behind = skip(tokens, days[1], words("of de .")) if days else i
    if days and word_at(tokens, behind) in MONTHS:
        return Days(MONTHS[word_at(tokens, behind)] + 1, *days[0]), behind + 1
    if word in SEASONS:
        return Months(2 + 3 * SEASONS[word], 3), i + 1  # spring is March to May; winter ends in the next February
    return _quarter_at(tokens, i) or _stretch_at(tokens, i) or (None, i)


def _days_at(tokens: Sequence[Token], i: int) -> tuple[tuple[int, int], int] | None:
    """Read a day of a month, or the days from one to another; `3 - 10 May` only where no month stands between."""
    day = number_at(tokens, i, 1, 31)
    if not day:
        return None
    last = number_at(tokens, i + 2, day + 1, 31)
    before_month = word_at(tokens, i - 1) in MONTHS | {".": 0} and word_at(tokens, i + 3) in MONTHS
    if last and word_at(tokens, i + 1) in {"-", "to"} and not before_month:
        return (day, last), i + 3
    return (day, day), i + 1


def _quarter_at(tokens: Sequence[Token], i: int) -> tuple[Months, int] | None:
    """Read `Q3`, `3Q`, `H2`, `third quarter`, `last quarter`, `second half`, `quarter 3`."""
    word, follows = word_at(tokens, i), word_at(tokens, i + 1)
    if word in {"q", "h", "quarter"}:
        number = number_at(tokens, i + 1, 1, 2 if word == "h" else 4)
        return None if number is None else (_nth(word[0], number - 1), i + 2)
    number = number_at(tokens, i, 1, 2 if follows == "h" else 4)
    if number and follows in {"q", "h"} and are_joined(tokens, i, 2):
        return _nth(follows, number - 1), i + 2
    if follows not in QUARTERS | HALVES:
        return None
    kind, most = ("q", 3) if follows in QUARTERS else ("h", 1)
    nth = most if word in LASTS else ORDINALS.get(word, most + 1)
    whole, _ = _unit_at(tokens, skip(tokens, i + 2, FILLERS))
    if nth > most or isinstance(whole, Days) or (whole and whole.length == 1):  # a half of a month is days
        return None
    return _nth(kind, nth), i + 2


def _nth(kind: str, nth: int) -> Months:
    return Months(3 * nth, 3) if kind == "q" else Months(6 * nth, 6)


def _stretch_at(tokens: Sequence[Token], i: int) -> tuple[Months | Days, int] | None:
    """Read `first half of May`, `second week of May`, `last week of May`, `first three months of`."""
    word, follows = word_at(tokens, i), word_at(tokens, i + 1)
    is_last, nth = word in LASTS, ORDINALS.get(word)
    if not is_last and nth is None:
        return None
    behind = skip(tokens, i + 2, FILLERS)
    month = MONTHS.get(word_at(tokens, behind))
    if follows in HALVES and month is not None and (is_last or nth in (0, 1)):
        return (Days(month + 1, 16, None) if is_last or nth else Days(month + 1, 1, 15)), behind + 1
    if follows == "week" and month is not None:
        week = Days(month + 1, -7, None) if nth is None else Days(month + 1, 7 * nth + 1, 7 * nth + 7)
        return week, behind + 1
    count = COUNTS.get(follows) or number_at(tokens, i + 1, 2, 11)
    if count and word_at(tokens, i + 2) == "months" and word_at(tokens, i + 3) == "of" and (is_last or nth == 0):
        return Months(12 - count if is_last else 0, count), i + 4
    return None


def _part(word: str, whole: Months | Days) -> Months | Days:
    """Return a third of a span ("early", "mid", "late"), or its first or last month ("end of 2025")."""
    if isinstance(whole, Days):
        return whole
    if whole.length == 1:
        third = PARTS.get(word, EDGES.get(word, 0)) % 3
        return Days(whole.first + 1, 1 + 10 * third, 10 * third + 10 if third < 2 else None)
    if word in EDGES:
        return Months(whole.first + (whole.length - 1 if EDGES[word] else 0), 1)
    third = whole.length // 3
    return Months(whole.first + third * PARTS[word], third)


def resolve(span: Months | Days, year: int) -> tuple[date, date]:
    """Return the first and last day of a span in a year.

    Raises:
        ValueError: the month has no such day.
    """
    if isinstance(span, Months):
        return _month_start(year, span.first), _month_start(year, span.first + span.length) - timedelta(days=1)
    month = _month_start(year, span.month - 1)
    month_end = _month_start(year, span.month) - timedelta(days=1)
    first = month_end + timedelta(days=span.first + 1) if span.first < 0 else month.replace(day=span.first)
    return first, month_end if span.last is None else month.replace(day=span.last)


def _month_start(year: int, months: int) -> date:
    return date(year + months // 12, months % 12 + 1, 1)
