"""Joining rows that tell one event, and what they say together."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from answertrail_pipeline.language.career_events import CareerEvent
from answertrail_pipeline.language.partial_dates import End, PartialDate
from answertrail_pipeline.language.scripts import exact_title
from answertrail_pipeline.scoring.factnet.types import BASE, Cluster, Joined, Match, Matcher, Row, Truth

T = TypeVar("T")
_FINENESS = {"year": 2, "month": 3, "day": 4}


def complete_linkage(items: Sequence[T], same: Callable[[T, T], bool]) -> list[list[T]]:
    """Group items so that all of a group are the same pairwise; pairs are taken in the order of `items`.

    Args:
        items: sorted by content, so that the groups do not depend on who came first.
        same: symmetric.
    """
    groups: list[list[int]] = [[at] for at in range(len(items))]
    at_group = list(range(len(items)))
    alike = {
        (one, two)
        for one in range(len(items))
        for two in range(one + 1, len(items))
        if same(items[one], items[two])
    }
    for one, two in sorted(alike):
        first, second = sorted((at_group[one], at_group[two]))
        if first == second:
            continue
        if all((min(a, b), max(a, b)) in alike for a in groups[first] for b in groups[second]):
            groups[first] = sorted(groups[first] + groups[second])
            groups[second] = []
            for member in groups[first]:
                at_group[member] = first
    return [[items[at] for at in group] for group in groups if group]


def join_rows(origin: str, rows: Iterable[Row], matcher: Matcher) -> list[Joined]:
    """Return the events of one run or of the base, each once."""
    ordered = sorted(rows, key=lambda row: row.order)
    groups = complete_linkage(
        ordered,
        lambda a, b: matcher.match(a.event, b.event, one_source=_one_source(origin, a, b)) is Match.YES,
    )
    return sorted(
        (Joined(origin, tuple(group), _together(group)) for group in groups), key=lambda joined: joined.order
    )


def _one_source(origin: str, a: Row, b: Row) -> bool:
    """A run is one list, whatever it read; the base is as many lists as it has sources."""
    return origin != BASE or bool(a.sources & b.sources)


def cluster(members: Iterable[Joined], matcher: Matcher) -> list[Cluster]:
    """Return the events of several origins, each once; what one origin lists apart is never joined."""
    ordered = sorted(members, key=lambda joined: joined.order)
    groups = complete_linkage(
        ordered, lambda a, b: a.origin != b.origin and matcher.match(a.event, b.event) is Match.YES
    )
    return [Cluster(tuple(group), truth_of(group)) for group in groups]


class Span(NamedTuple):
    """A stretch of time with those who attest its two ends by month."""

    start: PartialDate | None
    end: End
    start_sources: frozenset[str]
    end_sources: frozenset[str]


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Join spans without a gap: one begins in the month (or year, where no more is known) in which another ends.

    A stretch that continues another is no span by itself any more.
    """
    ordered = sorted(spans, key=_span_order)
    continuations = {at for at, span in enumerate(ordered) if any(_touches(other, span) for other in ordered)}
    heads = [span for at, span in enumerate(ordered) if at not in continuations]
    return [_extended(head, ordered) for head in heads]


def truth_of(members: Iterable[Joined]) -> Truth:
    """Return the right values of a cluster's slots: what the most sources attest, and every attested title."""
    rows = [row for member in members for row in member.rows if row.supported]
    spans = merge_spans(_span(row) for row in rows)
    starts = _votes((span.start.month_text, span.start_sources) for span in spans if span.start)
    ends = _votes((_end_text(span.end), span.end_sources) for span in spans)
    titles = frozenset(
        exact_title(title) for row in rows if "title" in row.slots for title, _lang in row.event.titles
    )
    return Truth(starts, ends, titles)


def end_text(end: End) -> str | None:
    """Return an end as slots compare it: a month, `ongoing`, or None where it is neither."""
    return _end_text(end)


def _together(rows: Sequence[Row]) -> CareerEvent:
    """Return what the rows of one origin say: the finest start and end, and the rest of the finest row."""
    kept = min(rows, key=lambda row: (-_fineness(row.event), row.event.content_hash)).event
    spans = merge_spans(_span(row) for row in rows)
    starts = [span.start for span in spans if span.start]
    ends = [span.end for span in spans]
    return replace(
        kept,
        start=min(starts, key=lambda start: (-_start_fineness(start), start.order), default=None),
        end=min(ends, key=lambda end: (-_end_fineness(end), _end_order(end), end.state)),
    )


def _span(row: Row) -> Span:
    start_sources = row.sources if "start" in row.slots else frozenset()
    end_sources = row.sources if "end" in row.slots else frozenset()
    return Span(row.event.start, row.event.end, start_sources, end_sources)


def _extended(head: Span, spans: Sequence[Span]) -> Span:
    """Follow a span through all that continue it."""
    seen = {head}
    while following := [span for span in spans if span not in seen and _touches(head, span)]:
        longest = max(following, key=lambda span: (_end_order(span.end), span.end.state == "ongoing"))
        seen.update(following)
        head = Span(head.start, longest.end, head.start_sources, longest.end_sources)
    return head


def _touches(first: Span, second: Span) -> bool:
    """Whether the second begins where the first ends, as exactly as both are known, and goes on from there."""
    ended, begun = first.end.date, second.start
    if ended is None or begun is None or first.start is None or first.start.order >= begun.order:
        return False
    if second.end.date is not None and second.end.date.order <= ended.order:
        return False
    if ended.month is None or begun.month is None:
        return first.start.month is None and begun.month is None and ended.month is None and ended == begun
    return (ended.year, ended.month) == (begun.year, begun.month)


def _votes(values: Iterable[tuple[str | None, frozenset[str]]]) -> frozenset[str]:
    sources: dict[str, set[str]] = {}
    for value, attested in values:
        if value and attested:
            sources.setdefault(value, set()).update(attested)
    counts = Counter({value: len(attested) for value, attested in sources.items()})
    most = max(counts.values(), default=0)
    return frozenset(value for value, count in counts.items() if count == most)


def _end_text(end: End) -> str | None:
    if end.state == "ongoing":
        return "ongoing"
    return end.date.month_text if end.date else None


def _fineness(event: CareerEvent) -> int:
    return _start_fineness(event.start) + _end_fineness(event.end)


def _start_fineness(start: PartialDate | None) -> int:
    return _FINENESS[start.precision] if start else 0


def _end_fineness(end: End) -> int:
    if end.date:
        return _FINENESS[end.date.precision]
    return 1 if end.state == "ongoing" else 0


def _span_order(span: Span) -> tuple[object, ...]:
    start = span.start.order if span.start else (0, 0, 0)
    return (start, _end_order(span.end), span.end.state, sorted(span.start_sources), sorted(span.end_sources))


def _end_order(end: End) -> tuple[int, int, int]:
    if end.state == "ongoing":
        return (9999, 12, 31)
    return end.date.order if end.date else (0, 0, 0)
