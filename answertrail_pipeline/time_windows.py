"""Stretches of time as people write them ("early 2025", "Sept 2025", "mid 2025 - March 2026") as dates.

The table of rules is in docs/gold.md. Nothing is guessed: a text that no rule reads is refused, and words that
depend on today ("last year") are not read at all.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from answertrail_pipeline.errors import UserError


@dataclass(frozen=True)
class Window:
    """A stretch of days.

    Attributes:
        start: its first day; `date.min` where it has none ("until May 2025").
        end: its last day, inclusive; `date.max` where it has none ("Jan 2025 onward").
        text: the words it was read from.
    """

    start: date
    end: date
    text: str

    def overlaps(self, other: "Window") -> bool:
        """Whether the two share a day."""
        return self.start <= other.end and other.start <= self.end


def parse_window(text: str, *, first: date = date.min, last: date = date.max) -> Window:
    """Read a text that is a window and nothing else.

    Args:
        first: where a window without a start begins, such as the corpus's first day.
        last: where a window without an end ends.

    Raises:
        UserError: no rule reads it, or it ends before it starts.
    """
    tokens = _tokens(text)
    start = 0
    while start < len(tokens) and tokens[start].word in _LEAD_INS:
        start += 1
    stop = len(tokens)
    while stop > start and tokens[stop - 1].word in {".", ",", ")"}:
        stop -= 1
    found = _window_at(tokens[:stop], start)
    if found is None or found[1] != stop:
        raise UserError(
            f"`{text}` is not a time that can be read.",
            "Write it like `early 2025`, `Sept 2025`, `Q3 2025`, `2025-09-14` or `mid 2025 - March 2026`.",
        )
    bounds = _clip(found[0], first, last)
    if bounds is None:
        raise UserError(f"`{text}` ends before it starts.", "Write the earlier time first, with its year.")
    return Window(*bounds, text.strip())


def find_windows(text: str, *, first: date = date.min, last: date = date.max) -> list[Window]:
    """Return every window that a running text mentions, in order, each as long as it can be read.

    A bare year counts only behind a word of time ("in 2025", "since 2024"): "2025 tokens" is no window.

    Args:
        first: where a window without a start begins.
        last: where a window without an end ends.
    """
    tokens = _tokens(text)
    windows, i = [], 0
    while i < len(tokens):
        found = _window_at(tokens, i)
        if found is None or (_is_bare_year(tokens, i, found[1]) and not _led_in(tokens, i)):
            i += 1
            continue
        bounds = _clip(found[0], first, last)
        if bounds:
            windows.append(Window(*bounds, text[tokens[i].start : tokens[found[1] - 1].end]))
        i = found[1]
    return windows


class _Token(NamedTuple):
    word: str  # lower case, without accents
    start: int
    end: int


class _Months(NamedTuple):
    """Whole months of a year not yet known: `first` is 0 for January; winter runs over the year's end."""

    first: int
    length: int


class _Days(NamedTuple):
    """Days of one month; `last` None is the month's last day."""

    month: int
    first: int
    last: int | None


class _Point(NamedTuple):
    span: _Months | _Days
    year: int | None


_Bounds = tuple[date, date]
_YEAR = _Months(0, 12)


def _names(*languages: str) -> dict[str, int]:
    """Number the words of each language's line; `|` separates spellings."""
    return {name: i for line in languages for i, names in enumerate(line.split()) for name in names.split("|")}


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


# English, French, German, Spanish, Portuguese, Italian, Dutch; without accents.
_MONTHS = _names(
    "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep"
    " october|oct november|nov december|dec",
    "janvier|janv fevrier|fevr|fev mars avril|avr mai juin juillet|juil aout septembre octobre novembre decembre",
    "januar|janner februar marz|maerz april mai juni juli august september oktober|okt november dezember|dez",
    "enero|ene febrero marzo abril|abr mayo junio julio agosto|ago septiembre|setiembre octubre noviembre"
    " diciembre|dic",
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro|out novembro dezembro",
    "gennaio|genn febbraio|febbr marzo aprile maggio giugno luglio agosto settembre|sett ottobre|ott novembre"
    " dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
)
_SEASONS = _names(
    "spring summer autumn|fall winter",
    "printemps ete automne hiver",
    "fruhling|fruhjahr sommer herbst winter",
    "primavera verano|verao|estate otono|outono|autunno invierno|inverno",
)
_PARTS = _names(
    "early mid|middle late",
    "debut|anfang|principios|inicio|inizio|begin mi|mitte|mediados|meados|meta|medio"
    " fin|ende|finales|fins|fine|eind",
)
_EDGES = {"start": 0, "beginning": 0, "end": -1}
_ORDINALS = _names("first second third fourth", "1st 2nd 3rd 4th")
_FILLERS = _words("of the in de du des di do del d l ' ’ .")
_JOINS = _words("- – — / to through thru until till and a au bis hasta ate al")
_OPEN_ENDS = _words("onward onwards present today now +")
_BEFORE, _UNTIL, _AFTER, _SINCE = map(_words, ("before", "until till", "after", "since seit depuis desde"))
_TIME_WORDS = _words(
    "in from during by throughout through between around circa en im vers late of year over across to into within"
)
_LEAD_INS = (_TIME_WORDS - {"late"}) | _words("the about approximately ~ c ca roughly ( all de")


def _tokens(text: str) -> list[_Token]:
    return [
        _Token(_fold(match[0]), match.start(), match.end())
        for match in re.finditer(r"\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+|[^\s\w]|_", text)
    ]


def _fold(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(c))


def _word(tokens: Sequence[_Token], i: int) -> str:
    return tokens[i].word if i < len(tokens) else ""


def _number(tokens: Sequence[_Token], i: int, low: int, high: int) -> int | None:
    word = _word(tokens, i).removesuffix("st").removesuffix("nd").removesuffix("rd").removesuffix("th")
    return int(word) if word.isdecimal() and len(word) <= 4 and low <= int(word) <= high else None


def _skip(tokens: Sequence[_Token], i: int, words: frozenset[str]) -> int:
    while _word(tokens, i) in words:
        i += 1
    return i


def _is_bare_year(tokens: Sequence[_Token], i: int, stop: int) -> bool:
    return all(token.word.isdecimal() or token.word in _JOINS for token in tokens[i:stop])


def _led_in(tokens: Sequence[_Token], i: int) -> bool:
    before = i - 1
    while before >= 0 and tokens[before].word in {"~", "the", "about"}:
        before -= 1
    return before >= 0 and tokens[before].word in _TIME_WORDS


def _window_at(tokens: Sequence[_Token], i: int) -> tuple[_Bounds, int] | None:
    """Return the bounds of the longest window that starts at token `i`, and where it stops."""
    word = _word(tokens, i)
    if word in _BEFORE | _UNTIL | _AFTER | _SINCE:
        found = _range_at(tokens, _skip(tokens, i + 1, _words("~ about")))
        return found and (_opened(word, found[0]), found[1])
    found = _range_at(tokens, i, and_joins=i > 0 and tokens[i - 1].word == "between")
    if found is None:
        return None
    (start, end), stop = found
    after = stop + 1 if _word(tokens, stop) in _JOINS | {"and"} else stop
    if _word(tokens, after) in _OPEN_ENDS:
        return (start, date.max), after + 1
    return (start, end), stop


def _opened(word: str, bounds: _Bounds) -> _Bounds:
    start, end = bounds
    if word in _BEFORE:
        return date.min, start - timedelta(days=1)
    if word in _UNTIL:
        return date.min, end
    return (start if word in _SINCE else end + timedelta(days=1)), date.max


def _range_at(tokens: Sequence[_Token], i: int, and_joins: bool = False) -> tuple[_Bounds, int] | None:
    """Read points joined by `-`, `/`, `to` ...; a point without a year takes that of the next that has one."""
    first = _point_at(tokens, i)
    if first is None:
        return None
    points, stop = [first[0]], first[1]
    while (more := _next_point(tokens, stop, and_joins)) is not None:
        points.append(more[0])
        stop = more[1]
    years = [point.year for point in points if point.year is not None]
    if not years:
        return None
    last_year = points[-1].year or years[-1]
    first_year = points[0].year or years[0]
    try:
        start, end = _resolve(points[0].span, first_year)[0], _resolve(points[-1].span, last_year)[1]
        if start > end and points[0].year is None:  # "Dec - Feb 2026"
            start = _resolve(points[0].span, first_year - 1)[0]
    except ValueError:  # 30 February is no day
        return None
    return (start, end), stop


def _next_point(tokens: Sequence[_Token], i: int, and_joins: bool) -> tuple[_Point, int] | None:
    after = i
    while _word(tokens, after) in _JOINS and (and_joins or _word(tokens, after) != "and"):
        after += 1
    after = _skip(tokens, after, _words("the ~")) if after > i else i
    return _point_at(tokens, after) if after > i else None


def _point_at(tokens: Sequence[_Token], i: int) -> tuple[_Point, int] | None:
    iso = _iso_at(tokens, i)
    if iso:
        return iso
    span, after = _span_at(tokens, i)
    if span is None:
        return None
    behind = _skip(tokens, after, _FILLERS | _words(", -" if after > i else ","))
    year = _number(tokens, behind, 1900, 2199)
    if year is None:
        return (_Point(span, None), after) if span != _YEAR else None
    after = behind + 1
    if span == _YEAR and (quarter := _quarter_at(tokens, after)):  # "2025 Q3"
        return _Point(quarter[0], year), quarter[1]
    if span in (_season(3), _YEAR) and _word(tokens, after) in {"-", "/"}:  # "winter 2025/26", "2024-25"
        second = _number(tokens, after + 1, 0, 99)
        if second == (year + 1) % 100 and len(_word(tokens, after + 1)) == 2:
            return _Point(span if span != _YEAR else _Months(0, 24), year), after + 2
    return _Point(span, year), after


def _iso_at(tokens: Sequence[_Token], i: int) -> tuple[_Point, int] | None:
    """Read `2025-09`, `2025-09-14`, `2025年9月`, `2025年9月14日`."""
    year = _number(tokens, i, 1900, 2199)
    if year is None:
        return None
    separator = _word(tokens, i + 1)
    month = _number(tokens, i + 2, 1, 12)
    if separator == "年" and month is None:
        return _Point(_YEAR, year), i + 2
    if separator not in {"-", "年"} or month is None or (separator == "-" and len(_word(tokens, i + 2)) != 2):
        return None
    stop = i + 3 if separator == "-" else i + 4
    day_at = i + 4
    day = _number(tokens, day_at, 1, 31)
    if (
        day is not None
        and _word(tokens, i + 3) == ("-" if separator == "-" else "月")
        and _is_date(year, month, day)
    ):
        return _Point(_Days(month, day, day), year), day_at + (1 if separator == "-" else 2)
    return _Point(_Months(month - 1, 1), year), stop


def _is_date(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _span_at(tokens: Sequence[_Token], i: int) -> tuple[_Months | _Days | None, int]:
    """Read what stands before a year: a part of it, a month with or without a day, a season, a quarter, a half."""
    word = _word(tokens, i)
    if word in _PARTS or word in _EDGES:
        behind = _skip(tokens, i + 1, _FILLERS | {"-"})
        whole, after = _unit_at(tokens, behind)
        if whole is None:
            return _part(word, _YEAR), i + 1
        return _part(word, whole), after
    return _unit_at(tokens, i) if _number(tokens, i, 1900, 2199) is None else (_YEAR, i)


def _unit_at(tokens: Sequence[_Token], i: int) -> tuple[_Months | _Days | None, int]:
    word = _word(tokens, i)
    if word in _MONTHS:
        month = _MONTHS[word] + 1
        after = _skip(tokens, i + 1, _words("."))
        day = _number(tokens, after, 1, 31)
        return (_Days(month, day, day), after + 1) if day else (_Months(month - 1, 1), after)
    day = _number(tokens, i, 1, 31)
    behind = _skip(tokens, i + 1, _words("of de ."))
    if day and _word(tokens, behind) in _MONTHS:
        return _Days(_MONTHS[_word(tokens, behind)] + 1, day, day), behind + 1
    if word in _SEASONS:
        return _season(_SEASONS[word]), i + 1
    return _quarter_at(tokens, i) or (None, i)


def _season(number: int) -> _Months:
    return _Months(2 + 3 * number, 3)  # spring is March to May; winter is December to the next February


def _quarter_at(tokens: Sequence[_Token], i: int) -> tuple[_Months, int] | None:
    word, follows = _word(tokens, i), _word(tokens, i + 1)
    if word in {"q", "h"}:
        number = _number(tokens, i + 1, 1, 4 if word == "q" else 2)
        if number is None:
            return None
        return _quarter(number - 1) if word == "q" else _half(number - 1), i + 2
    if word in _ORDINALS and follows == "quarter":
        return _quarter(_ORDINALS[word]), i + 2
    if _ORDINALS.get(word, 2) < 2 and follows == "half":
        return _half(_ORDINALS[word]), i + 2
    return None


def _quarter(number: int) -> _Months:
    return _Months(3 * number, 3)


def _half(number: int) -> _Months:
    return _Months(6 * number, 6)


def _part(word: str, whole: _Months | _Days) -> _Months | _Days:
    """Return a third of a span ("early", "mid", "late"), or its first or last month ("end of 2025")."""
    if isinstance(whole, _Days):
        return whole
    if whole.length == 1:
        third = _PARTS.get(word, _EDGES.get(word, 0)) % 3
        return _Days(whole.first + 1, 1 + 10 * third, 10 * third + 10 if third < 2 else None)
    if word in _EDGES:
        return _Months(whole.first + (whole.length - 1 if _EDGES[word] else 0), 1)
    third = whole.length // 3
    return _Months(whole.first + third * _PARTS[word], third)


def _resolve(span: _Months | _Days, year: int) -> _Bounds:
    if isinstance(span, _Months):
        return _month_start(year, span.first), _month_start(year, span.first + span.length) - timedelta(days=1)
    month = _month_start(year, span.month - 1)
    month_end = _month_start(year, span.month) - timedelta(days=1)
    return month.replace(day=span.first), month_end if span.last is None else month.replace(day=span.last)


def _month_start(year: int, months: int) -> date:
    return date(year + months // 12, months % 12 + 1, 1)


def _clip(bounds: _Bounds, first: date, last: date) -> _Bounds | None:
    start = first if bounds[0] == date.min else bounds[0]
    end = last if bounds[1] == date.max else bounds[1]
    return (start, end) if start <= end else None
