"""The rules that see a change in dated statements on one topic, and the turning points that show it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby, pairwise

from answertrail_pipeline.tasks.stands import Kind, Said, Stand, read_stands

__all__ = ["Change", "Said", "find_change"]

MIN_EVIDENCE, MAX_EVIDENCE = 3, 6
MIN_SHARED, SHARED_SHARE = 2, 0.5
"""Words beside the topic, and share of the shorter clause's, that two clauses on one matter must share."""
SAYING_SHARED, SAYING_SHARE = 3, 0.6
"""The same of all words of a thing said and denied: most clauses with and without a `not` are two things."""
MIN_FIT = 2 / 3
"""Share of the figures given for a topic that must fit one rise or fall."""
APART = timedelta(days=30)
_KINDS: tuple[Kind, ...] = ("verdict", "date", "figure", "practice", "amount", "saying")
"""What a reader sees as a change, most of all first."""


@dataclass(frozen=True)
class Change:
    """A change that the rules see.

    Attributes:
        kind: what changed.
        points: numbers of the statements that show it, in order of time.
    """

    kind: Kind
    points: tuple[int, ...]


def find_change(said: Sequence[Said], topic: str, language: str) -> Change | None:
    """Return the change that dated statements on a topic show; None where the rules see none.

    Two clauses that name the topic, at least 30 days apart, show a change where they are on one matter and differ:
    in the topic's own figure, in when it is to happen (said before the first date was over), in one speaker's
    verdict, in whether something is still done, in an amount or a denial where most other words are the same.
    Three statements in all are the least, and a view may turn only once: to and fro is a debate, no change.
    """
    stands = [stand for at, item in enumerate(said) for stand in read_stands(at, item, topic, language)]
    for kind in _KINDS:
        if kind == "date" and not _is_particular(topic):
            continue
        series = max(_series([s for s in stands if s.kind == kind]), key=_weight, default=[])
        if len(series) >= MIN_EVIDENCE:
            return Change(kind, tuple(_evidence(series)))
    return None


def _is_particular(topic: str) -> bool:
    """Whether a topic is a name or of more than one word: of a common one ("fork"), many come to pass."""
    return " " in topic or not topic.islower()


def _weight(series: Sequence[Stand]) -> tuple[int, int]:
    return len(series), (series[-1].day - series[0].day).days if series else 0


def _series(stands: Sequence[Stand]) -> Iterator[list[Stand]]:
    """Yield what was said on one matter from one position to another, in order of time; figures all together."""
    if stands and stands[0].kind == "figure":
        for unit in sorted({stand.unit for stand in stands}):
            yield _one_way(_one_a_statement([stand for stand in stands if stand.unit == unit]))
        return
    for i, first in enumerate(stands):
        for last in reversed(stands[i + 1 :]):
            if last.value == first.value or last.day - first.day < APART or not _on_one_matter(first, last):
                continue
            between = [
                stand
                for stand in stands
                if first.day < stand.day < last.day
                and (_on_one_matter(first, stand) or _on_one_matter(stand, last))
            ]
            series = _one_way(_one_a_statement([first, *between, last]))
            if len(series) >= MIN_EVIDENCE:
                yield series
                break


def _on_one_matter(early: Stand, late: Stand) -> bool:
    if early.who != late.who or early.unit != late.unit:
        return False
    if early.kind == "date":
        return _is_put_off(early, late)
    if early.kind == "practice":
        return (early.value, late.value) != ("given up", "held")
    if early.kind == "verdict":
        return True
    shared = len(early.matter & late.matter)
    if early.kind == "saying":
        every = len(early.words & late.words)
        least = max(SAYING_SHARED, SAYING_SHARE * min(len(early.words), len(late.words)))
        return shared > 0 and every >= least
    return shared >= max(MIN_SHARED, SHARED_SHARE * min(len(early.matter), len(late.matter)))


def _is_put_off(early: Stand, late: Stand) -> bool:
    """Whether the later statement is made before the month is over that the earlier one names."""
    year, month = map(int, early.value.removeprefix("not ").split("-"))
    return late.day < date(year + month // 12, month % 12 + 1, 1)


def _one_a_statement(stands: Sequence[Stand]) -> list[Stand]:
    return [next(group) for _, group in groupby(stands, key=lambda stand: stand.at)]


def _one_way(series: list[Stand]) -> list[Stand]:
    """Return a series if it never comes back, without what stands out of it; else nothing.

    A figure goes up or down, but for a third of what is said of it: others speak of something else, or of what
    might be. A date does not return. Everything else turns once.
    """
    if series[0].kind in ("figure", "amount"):
        rising = _longest_rise(series, [_as_number(stand.value) for stand in series])
        falling = _longest_rise(series, [-_as_number(stand.value) for stand in series])
        kept = max(rising, falling, key=len)
        moved = len(kept) >= MIN_FIT * len(series) and kept[0].value != kept[-1].value
        return kept if moved and kept[-1].day - kept[0].day >= APART else []
    values = [_settled(stand.value, series[0].value) for stand in series]
    changes = sum(a != b for a, b in pairwise(values))
    returns = changes + 1 > len(set(values))
    return [] if returns or (changes > 1 and series[0].kind != "date") else series


def _settled(value: str, first: str) -> str:
    """Return a verdict that is said to have turned as the opposite of the first."""
    return {"for": "against", "against": "for"}.get(first, value) if value == "turned" else value


def _longest_rise(series: Sequence[Stand], values: Sequence[float]) -> list[Stand]:
    """Return the longest part of a series whose values never fall, the earliest such."""
    best: list[list[int]] = []
    for i, value in enumerate(values):
        before = [best[j] for j in range(i) if values[j] <= value]
        best.append([*max(before, key=len, default=[]), i])
    return [series[i] for i in max(best, key=len)]


def _as_number(value: str) -> float:
    try:
        return float(value.partition(" ")[0])
    except ValueError:  # "1.2.3"
        return 0.0


def _evidence(series: Sequence[Stand]) -> list[int]:
    """Return the first and last statements, those where the value changes, and others that lie well apart."""
    turns = [b.at for a, b in pairwise(series) if a.value != b.value]
    chosen = list(dict.fromkeys([series[0].at, series[-1].at, *turns]))[:MAX_EVIDENCE]
    days = {stand.at: stand.day for stand in series}
    others = [stand.at for stand in series if stand.at not in chosen]
    while others and len(chosen) < MAX_EVIDENCE:
        apart = {at: min(abs((days[at] - days[taken]).days) for taken in chosen) for at in others}
        best = max(others, key=lambda at: (apart[at], -at))
        if len(chosen) >= MIN_EVIDENCE and apart[best] < APART.days:
            break
        chosen.append(best)
        others.remove(best)
    return sorted(chosen)
