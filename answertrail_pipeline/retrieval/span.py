"""The span of time that a trajectory search covers."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date

from answertrail_pipeline.retrieval.types import Query
from answertrail_pipeline.time_windows import find_windows


@dataclass(frozen=True)
class Span:
    """Days from `since` to `until`, both inclusive, and where they come from: `filter`, `question` or `corpus`."""

    since: date
    until: date
    source: str


def find_span(query: Query, first_day: date, last_day: date) -> Span | None:
    """Return the span of a query: its own date window, else the dates in its text, else the whole corpus.

    Dates in a text are wide: whole months, and one month more at either end, since a view is voiced before and
    after it turns. Dates that miss the corpus are taken for a slip and the whole corpus is searched.

    Returns:
        None where the query's own window misses the corpus: nothing can be found there.
    """
    if query.since or query.until:
        since, until = max(query.since or first_day, first_day), min(query.until or last_day, last_day)
        return Span(since, until, "filter") if since <= until else None
    windows = find_windows(query.text, first=first_day, last=last_day)
    if windows:
        since = max(_month_before(min(window.start for window in windows)), first_day)
        until = min(_month_after(max(window.end for window in windows)), last_day)
        if since <= until:
            return Span(since, until, "question")
    return Span(first_day, last_day, "corpus")


def _month_before(day: date) -> date:
    if (day.year, day.month) <= (1, 1):
        return date.min
    return date(day.year - (day.month == 1), (day.month - 2) % 12 + 1, 1)


def _month_after(day: date) -> date:
    if (day.year, day.month) >= (9999, 12):
        return date.max
    year, month = day.year + (day.month == 12), day.month % 12 + 1
    return date(year, month, monthrange(year, month)[1])
