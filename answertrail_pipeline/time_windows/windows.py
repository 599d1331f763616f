"""Windows of time: points joined to ranges, or open on one side."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.time_windows.points import Point, point_at, resolve
from answertrail_pipeline.time_windows.words import (
    ABOUT,
    EARLIER,
    JOINS,
    LATER,
    LEAD_INS,
    NOW,
    OPENERS,
    TIME_WORDS,
    Token,
    read_tokens,
    skip,
    word_at,
    words,
)

_Bounds = tuple[date, date]
_ANDS = words("and &")
_OPENERS = sorted(
    ((tuple(phrase.split()), side) for side, phrases in OPENERS.items() for phrase in phrases),
    key=lambda opener: -len(opener[0]),
)


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
    tokens = read_tokens(text)
    stop = len(tokens)
    while stop and tokens[stop - 1].word in {".", ",", ")", "]"}:
        stop -= 1
    starts = range(skip(tokens, 0, LEAD_INS) + 1)
    found = next((got for i in starts if (got := _window_at(tokens[:stop], i)) and got[1] == stop), None)
    if found is None:
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
    tokens = read_tokens(text)
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


def _is_bare_year(tokens: Sequence[Token], i: int, stop: int) -> bool:
    return all(token.word.isdecimal() or token.word in JOINS for token in tokens[i:stop])


def _led_in(tokens: Sequence[Token], i: int) -> bool:
    before = i - 1
    while before >= 0 and tokens[before].word in {"~", "the", "about"}:
        before -= 1
    return before >= 0 and tokens[before].word in TIME_WORDS


def _window_at(tokens: Sequence[Token], i: int) -> tuple[_Bounds, int] | None:
    """Return the bounds of the longest window that starts at token `i`, and where it stops."""
    if opener := _opener_at(tokens, i):
        side, behind = opener
        found = _range_at(tokens, skip(tokens, behind, ABOUT))
        return found and (_opened(side, found[0]), found[1])
    if word_at(tokens, i) == "between":
        return _range_at(tokens, skip(tokens, i + 1, ABOUT), between=True)
    found = _range_at(tokens, i)
    if found is None:
        return None
    (start, end), stop = found
    return _open_end(tokens, i, start, end, stop) or ((start, end), stop)


def _opener_at(tokens: Sequence[Token], i: int) -> tuple[str, int] | None:
    for phrase, side in _OPENERS:
        if all(word_at(tokens, i + at) == word for at, word in enumerate(phrase)):
            return side, i + len(phrase)
    return None


def _opened(side: str, bounds: _Bounds) -> _Bounds:
    start, end = bounds
    if side == "before":
        return date.min, start - timedelta(days=1)
    if side == "until":
        return date.min, end
    return (start if side == "since" else end + timedelta(days=1)), date.max


def _open_end(tokens: Sequence[Token], i: int, start: date, end: date, stop: int) -> tuple[_Bounds, int] | None:
    """Read what opens a window behind it: `onward`, `- present`, `to date`, `or later`, `+`; `or earlier`."""
    word = word_at(tokens, stop)
    if word in words("onward onwards +"):
        return (start, date.max), stop + 1
    if word in JOINS:
        after = skip(tokens, stop + 1, words("the"))
        if word_at(tokens, after) in NOW:
            return (start, date.max), after + 1
    if word in words("and or") and word_at(tokens, stop + 1) in LATER:
        return (start, date.max), stop + 2
    if word in words("and or") and word_at(tokens, stop + 1) in EARLIER:
        return (date.min, end), stop + 2
    last = word_at(tokens, stop + 1)
    if word == "on" and word_at(tokens, i - 1) == "from" and not last[:1].isalnum():
        return (start, date.max), stop + 1
    return None


def _range_at(tokens: Sequence[Token], i: int, between: bool = False) -> tuple[_Bounds, int] | None:
    """Read points joined by `-`, `/`, `to` ...; a point without a year takes that of the next that has one.

    `and` joins them behind `between`, or where the second begins on the day after the first ends.
    """
    first = point_at(tokens, i)
    if first is None:
        return None
    points, stop = [first[0]], first[1]
    while (more := _next_point(tokens, stop)) is not None:
        point, behind, by_and = more
        if by_and and not between and not _adjoin(points[-1], point):
            break
        points.append(point)
        stop = behind
    if between and len(points) < 2:
        return None
    bounds = _bounds(points)
    return bounds and (bounds, stop)


def _bounds(points: Sequence[Point]) -> _Bounds | None:
    years = [point.year for point in points if point.year is not None]
    if not years:
        return None
    last_year = points[-1].year or years[-1]
    first_year = points[0].year or years[0]
    try:
        start, end = resolve(points[0].span, first_year)[0], resolve(points[-1].span, last_year)[1]
        if start > end and points[0].year is None:  # "Dec - Feb 2026"
            start = resolve(points[0].span, first_year - 1)[0]
        if start > end and points[-1].year is None:  # "Nov 2024 - Feb"
            end = resolve(points[-1].span, last_year + 1)[1]
    except ValueError:  # 30 February is no day
        return None
    return start, end


def _adjoin(early: Point, late: Point) -> bool:
    if late.year is None:
        return False
    try:
        return (
            resolve(early.span, early.year or late.year)[1] + timedelta(days=1) == resolve(late.span, late.year)[0]
        )
    except ValueError:
        return False


def _next_point(tokens: Sequence[Token], i: int) -> tuple[Point, int, bool] | None:
    after = skip(tokens, i, JOINS)
    if after == i:
        return None
    by_and = any(token.word in _ANDS for token in tokens[i:after])
    found = point_at(tokens, skip(tokens, after, words("the ~")))
    return found and (found[0], found[1], by_and)


def _clip(bounds: _Bounds, first: date, last: date) -> _Bounds | None:
    start = first if bounds[0] == date.min else bounds[0]
    end = last if bounds[1] == date.max else bounds[1]
    return (start, end) if start <= end else None
