"""Scores over re-evaluations, against the growth of the corpus."""

from collections import defaultdict
from collections.abc import Sequence

from answertrail_pipeline.reporting.figures.svg import ARM_COLOURS, Canvas, Layout, Scale, axis, legend, ticks
from answertrail_pipeline.reporting.words import brief
from answertrail_pipeline.scoring.series import SeriesPoint

SCOPE_WORDS = {"as_of": "cut at the gold's date", "full": "full corpus"}


def series(points: Sequence[SeriesPoint], tier: str, layout: Layout) -> str | None:
    """Draw headline recall in one tier: a line an arm and scope, with intervals; None where nothing is defined.

    Across stands how many videos the whole corpus had at each re-evaluation, also for the corpus cut at the gold's
    date, whose own size never grows.
    """
    shown = [point for point in points if (found := point.metric(tier)) and found.value is not None]
    if not shown:
        return None
    arms = sorted({point.arm for point in points})
    sizes = growth(points)
    canvas = Canvas(layout, f"Recall against the growth of the corpus, {tier}")
    colours = {arm: place % ARM_COLOURS for place, arm in enumerate(arms)}
    top = legend(canvas, [(f"f{colours[arm]}", arm) for arm in arms])
    left, right, bottom = 44.0, layout.width - 12.0, top + 238.0
    low, high = min(sizes.values()), max(sizes.values())
    room = max(1.0, 0.06 * (high - low))
    across, up = Scale(low - room, high + room, left, right), Scale(0.0, 1.0, bottom, top)
    whole = [tick for tick in ticks(low, max(high, low + 1)) if tick == int(tick)]
    axis(canvas, across, top, bottom, [(tick, f"{tick:,.0f}") for tick in whole if low <= tick <= high])
    for tick in range(6):
        canvas.line(left, up(tick / 5), right, up(tick / 5), "grid")
        canvas.text(left - 8, up(tick / 5) + 4, f"{20 * tick}%", "tick", "end")
    lines: dict[tuple[str, str], list[SeriesPoint]] = defaultdict(list)
    for point in sorted(shown, key=lambda point: point.number):
        lines[point.arm, point.scope].append(point)
    for place, ((arm, _), line) in enumerate(sorted(lines.items())):
        aside = 7.0 * (place - (len(lines) - 1) / 2)  # so that equal scores are both seen
        _line(canvas, across, up, line, sizes, tier, colours[arm], aside)
    canvas.text((left + right) / 2, bottom + 36, "videos in the whole corpus", "tick", "middle")
    canvas.height = bottom + 44
    return canvas.svg()


def growth(points: Sequence[SeriesPoint]) -> dict[int, int]:
    """Return how many videos the whole corpus had, by number of the re-evaluation."""
    sizes = {point.number: point.corpus.videos for point in points}
    return sizes | {point.number: point.corpus.videos for point in points if point.scope == "full"}


def _line(
    canvas: Canvas,
    across: Scale,
    up: Scale,
    line: Sequence[SeriesPoint],
    sizes: dict[int, int],
    tier: str,
    colour: int,
    aside: float,
) -> None:
    whole = line[0].scope == "full"
    places = []
    for point in line:
        metric = point.metric(tier)
        if metric is None or metric.value is None:
            continue
        places.append((across(sizes[point.number]) + aside, up(metric.value), point, metric))
    path = "".join(f"{'L' if at else 'M'}{x:.1f} {y:.1f}" for at, (x, y, _, _) in enumerate(places))
    canvas.add("path", d=path, klass=f"trend s{colour}" if whole else f"trend cut s{colour}")
    for x, y, point, metric in places:
        ends = metric.interval
        if ends.low is not None and ends.high is not None:
            canvas.line(x, up(ends.low), x, up(ends.high), f"bar thin s{colour}")
        failed = any(gate.tier == tier and gate.word == "failed" for gate in point.gates)
        if failed:
            canvas.add("circle", cx=x, cy=y, r=10, klass=f"ring s{colour}")
        tip = f"{point.number}. {point.arm}, {SCOPE_WORDS[point.scope]} ({point.corpus.name}): {brief(metric)}"
        klass = f"dot f{colour}" if whole else f"dot hollow s{colour}"
        canvas.add("circle", cx=x, cy=y, r=5, klass=klass, tip=tip + ("; the gate failed" if failed else ""))
