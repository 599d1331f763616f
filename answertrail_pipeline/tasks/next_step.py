"""One step of a research loop: which searches to make next, or that enough was found.

A model takes this step by calling tools (agents/react.py): it gets this task's prompt and sees the passages. The
rules see only the state given here.
"""

from datetime import date, timedelta

from pydantic import BaseModel, ConfigDict, Field

from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.task import Task
from answertrail_pipeline.tasks.topic_parts import asks_over_time, topic_parts
from answertrail_pipeline.time_windows import find_windows

MAX_OPENING = 5
MAX_GAPS = 6
GAP_CHUNKS = 3
"""How many chunks a search of one empty period asks for."""
_MONTHS_BEFORE_QUARTERS = 18


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PlannedSearch(_Frozen):
    """A search to make; both days of the window are inclusive."""

    query: str = Field(min_length=1, max_length=2000)
    since: date | None = None
    until: date | None = None
    k: int | None = Field(None, ge=1, le=100)


class PastSearch(_Frozen):
    """A search that was made, and how many chunks it found and were new."""

    step: int
    query: str
    since: date | None
    until: date | None
    found: int
    new: int


class NextStepInput(_Frozen):
    """Where the research stands.

    Attributes:
        topic: the question without its frame, by rule.
        months: how many chunks were retrieved of each month (`2025-03`).
    """

    question: str
    topic: str
    language: str
    first_date: date | None
    last_date: date | None
    past: tuple[PastSearch, ...] = ()
    months: dict[str, int] = Field(default_factory=dict)


class NextStep(_Frozen):
    """Searches to make now, all at once; none means that the agent is ready to answer."""

    searches: tuple[PlannedSearch, ...]


def render(given: NextStepInput) -> str:
    """Return the first user message of the loop."""
    return "\n\n".join(
        (
            f"The collection is in the language `{given.language}` and dated"
            f" {given.first_date or '?'} to {given.last_date or '?'}.",
            fence(given.question, "question"),
            "Research it.",
        )
    )


def by_rules(given: NextStepInput) -> NextStep:
    """Search the question, its topic and the topic's parts; then each period without evidence; then stop.

    Periods are searched only for a question that asks how something developed. A step that brings nothing new
    ends the research.
    """
    if not given.past:
        opening = [given.question, *topic_parts(given.question, given.topic, given.language)]
        return NextStep(searches=tuple(_searches(opening[:MAX_OPENING], given.language)))
    last_step = given.past[-1].step
    if not any(past.new for past in given.past if past.step == last_step):
        return NextStep(searches=())
    if not asks_over_time(given.question, given.language):
        return NextStep(searches=())
    searched = {(past.since, past.until) for past in given.past}
    gaps = [gap for gap in _empty_periods(given) if gap not in searched]
    return NextStep(
        searches=tuple(
            PlannedSearch(query=given.topic, since=since, until=until, k=GAP_CHUNKS)
            for since, until in gaps[:MAX_GAPS]
        )
    )


def _searches(phrases: list[str], language: str) -> list[PlannedSearch]:
    found: dict[tuple[str, ...], PlannedSearch] = {}
    for phrase in phrases:
        words = tuple(sorted(tokens(phrase, language)))
        found.setdefault(words, PlannedSearch(query=phrase[:2000]))
    return list(found.values())


def _empty_periods(given: NextStepInput) -> list[tuple[date, date]]:
    """Return the months, or quarters of a long span, of which no chunk was retrieved."""
    if given.first_date is None or given.last_date is None:
        return []
    first, last = _span(given.question, given.first_date, given.last_date)
    months = _months(first, last)
    size = 1 if len(months) <= _MONTHS_BEFORE_QUARTERS else 3
    periods = [months[at : at + size] for at in range(0, len(months), size)]
    return [
        (max(first, period[0]), min(last, _month_end(period[-1])))
        for period in periods
        if not any(given.months.get(month.isoformat()[:7]) for month in period)
    ]


def _span(question: str, first: date, last: date) -> tuple[date, date]:
    """Return the span that the question names, cut to the corpus; the corpus's where it names none."""
    windows = find_windows(question, first=first, last=last)
    if windows:
        start = max(first, min(window.start for window in windows))
        end = min(last, max(window.end for window in windows))
        if start <= end:
            return start, end
    return first, last


def _months(first: date, last: date) -> list[date]:
    found = [first.replace(day=1)]
    while (following := _month_end(found[-1]) + timedelta(days=1)) <= last:
        found.append(following)
    return found


def _month_end(month: date) -> date:
    return (month.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


NEXT_STEP: Task[NextStepInput, NextStep] = Task(
    name="next_step",
    version="1",
    input_type=NextStepInput,
    output_type=NextStep,
    render=render,
    baseline=by_rules,
)
