"""One person's career over the years: what the base holds, what runs added, what the reference tells."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite

from answertrail_pipeline.reporting.figures.svg import ARM_COLOURS, Canvas, Layout, Scale

_LABEL = 34
_YEAR_CLASS = "tick"
CLASSES = {"base": "stated", "pooled": "unused", "covered": "never"}
"""How an event is drawn by where it comes from."""


@dataclass(frozen=True)
class Tenure:
    """One event of the truth, ready to be drawn.

    Attributes:
        start, end: years with their part, such as 2010.25; infinite where it goes on, None where it is not said.
        kind: `base`, `pooled` or `covered`.
        arms: those that found it.
    """

    label: str
    start: float
    end: float | None
    kind: str
    arms: tuple[str, ...]
    tip: str


def career(title: str, tenures: Iterable[Tenure], arms: Sequence[str], layout: Layout) -> str:
    """Draw a career, the earliest first; a dot of an arm's colour stands behind what the arm found."""
    ordered = sorted(tenures, key=lambda each: (each.start, each.label))
    canvas = Canvas(layout, title)
    low = min(each.start for each in ordered)
    high = max(each.end if each.end is not None and isfinite(each.end) else each.start + 1 for each in ordered)
    left, right = (6.0, layout.width - 6.0) if layout.stacked else (225.0, layout.width - 24.0 - 14.0 * len(arms))
    scale = Scale(int(low), max(int(high) + 1, int(low) + 1), left, right)
    y = 6.0
    for each in ordered:
        y = _tenure(canvas, scale, y, each, arms)
    _years(canvas, scale, y)
    canvas.height = y + 20
    return canvas.svg("career")


def tenure(event: Mapping[str, str | None], kind: str, arms: Sequence[str]) -> Tenure | None:
    """Return an event of a pool, as it is drawn; None without a year of start."""
    start = _year(str(event["start"] or ""))
    if start is None:
        return None
    end = inf if event["end"] == "ongoing" else _year(str(event["end"]))
    label = f"{event['role']}, {event['organization']}"
    tip = f"{label}: {event['start']} to {event['end']} ({kind}); found by {', '.join(arms) or 'nobody'}"
    return Tenure(label, start, end, kind, tuple(arms), tip)


def _tenure(canvas: Canvas, scale: Scale, y: float, each: Tenure, arms: Sequence[str]) -> float:
    if canvas.layout.stacked:
        canvas.text(6, y + 11, _cut(each.label, 48), _YEAR_CLASS)
        y += 16
    else:
        short = _cut(each.label, _LABEL)
        canvas.add("text", short, x=212, y=y + 12, klass="tick", text_anchor="end", tip=each.label)
    start = scale(each.start)
    end = scale(each.end) if each.end is not None else start + 4.0
    canvas.add("rect", x=start, y=y + 2, width=max(4.0, end - start), height=12, rx=3,
               klass=CLASSES[each.kind], tip=each.tip)  # fmt: skip
    x = canvas.layout.width - 6.0
    for place in reversed(range(len(arms))):
        found = arms[place] in each.arms
        klass = f"dot f{place % ARM_COLOURS}" if found else "grid"
        canvas.add("circle", cx=x, cy=y + 8, r=4.5 if found else 1.5, klass=klass,
                   tip=f"{arms[place]}: {'found' if found else 'not found'}")  # fmt: skip
        x -= 14
    return y + 20


def _years(canvas: Canvas, scale: Scale, bottom: float) -> None:
    span = int(scale.high - scale.low)
    step = next((step for step in (1, 2, 5, 10, 20) if span / step <= 8), 20)
    grid = len(canvas.marks)
    for year in range(-(-int(scale.low) // step) * step, int(scale.high) + 1, step):
        canvas.line(scale(year), 6.0, scale(year), bottom, "grid")
        canvas.text(scale(year), bottom + 14, str(year), _YEAR_CLASS, "middle")
    canvas.marks = canvas.marks[grid:] + canvas.marks[:grid]


def _year(written: str) -> float | None:
    parts = written.split("-")
    if not parts[0].isdecimal():
        return None
    return int(parts[0]) + ((int(parts[1]) - 1) / 12 if len(parts) > 1 else 0.0)


def _cut(words: str, size: int) -> str:
    return words if len(words) <= size else words[: size - 1].rstrip() + "…"
