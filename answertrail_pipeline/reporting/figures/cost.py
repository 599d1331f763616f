"""Recall against what it cost; the arms that none beats on both are ringed and joined."""

from dataclasses import dataclass

from answertrail_pipeline.reporting.figures.svg import ARM_COLOURS, Canvas, Layout, Scale, axis, ticks
from answertrail_pipeline.reporting.words import amount, counts, number
from answertrail_pipeline.scoring.board import BoardArm, BoardMetric, Scoreboard

EFFORTS = (
    ("cost_usd", "dollars a question"),
    ("tokens", "tokens a question"),
    ("chunks", "chunks retrieved a question"),
)
"""What stands for effort: the first that is known of every arm and above zero for one."""


@dataclass(frozen=True)
class _Point:
    arm: BoardArm
    colour: int
    effort: BoardMetric
    recall: BoardMetric

    @property
    def x(self) -> float:
        return self.effort.value or 0.0

    @property
    def y(self) -> float:
        return self.recall.value or 0.0


def effort(board: Scoreboard, tier: str) -> tuple[str, str] | None:
    """Return which number stands for effort in a tier, with its words; None where none can."""
    for name, words in EFFORTS:
        values = [
            metric.value if (metric := arm.metric(tier, name)) else None
            for arm in board.arms
            if arm.metric(tier, "recall")
        ]
        if values and all(value is not None for value in values) and any(values):
            return name, words
    return None


def cost(board: Scoreboard, tier: str, layout: Layout) -> str | None:
    """Draw recall against effort in one tier; None where no effort is known."""
    chosen = effort(board, tier)
    if chosen is None:
        return None
    name, words = chosen
    found = [
        _Point(arm, place % ARM_COLOURS, work, recall)
        for place, arm in enumerate(board.arms)
        if (work := arm.metric(tier, name)) and (recall := arm.metric(tier, "recall")) and recall.value is not None
    ]
    if not found:
        return None
    canvas = Canvas(layout, f"Recall against {words}, {tier}")
    left, right, top, bottom = 44.0, layout.width - 12.0, 12.0, 250.0
    most = max(point.x for point in found) * 1.18
    across, up = Scale(0.0, most, left, right), Scale(0.0, 1.0, bottom, top)
    axis(canvas, across, top, bottom, [(tick, amount(tick)) for tick in ticks(0.0, most)])
    for tick in range(6):
        canvas.line(left, up(tick / 5), right, up(tick / 5), "grid")
        canvas.text(left - 8, up(tick / 5) + 4, f"{20 * tick}%", "tick", "end")
    best = pareto([(point.x, point.y) for point in found])
    corners = sorted((found[index].x, found[index].y) for index in best)
    path = "".join(f"{'L' if place else 'M'}{across(x):.1f} {up(y):.1f}" for place, (x, y) in enumerate(corners))
    canvas.add("path", d=path, klass="pareto")
    taken: list[tuple[float, float]] = [(across(point.x), up(point.y)) for point in found]
    for index, point in enumerate(found):
        _point(canvas, across, up, point, taken, best=index in best)
    canvas.text((left + right) / 2, bottom + 36, words, "tick", "middle")
    canvas.height = bottom + 44
    return canvas.svg()


def _point(
    canvas: Canvas, across: Scale, up: Scale, point: _Point, taken: list[tuple[float, float]], *, best: bool
) -> None:
    x, y, ends = across(point.x), up(point.y), point.recall.interval
    if ends.low is not None and ends.high is not None:
        canvas.line(x, up(ends.low), x, up(ends.high), f"bar thin s{point.colour}")
    if best:
        canvas.add("circle", cx=x, cy=y, r=10, klass=f"ring s{point.colour}")
    tip = f"{point.arm.name}: recall {number(point.recall, share=True)}; {number(point.effort, share=False)}"
    canvas.add("circle", cx=x, cy=y, r=5.5, klass=f"dot f{point.colour}", tip=tip)
    _label(canvas, x, y, point, taken)


def _label(canvas: Canvas, x: float, y: float, point: _Point, taken: list[tuple[float, float]]) -> None:
    """Write a point's name where nothing stands yet: right, left, below or above it, further off if need be."""
    width = 8.0 * max(len(point.arm.name), len(counts(point.recall)))
    places = [
        (x + side, y + down)
        for down in (0.0, 34.0, -34.0, 68.0, -68.0)
        for side in (14.0 + width / 2, -14.0 - width / 2)
    ]
    inside = [place for place in places if width / 2 < place[0] < canvas.layout.width - width / 2]
    free = [
        place
        for place in inside
        if all(abs(place[0] - other[0]) > width / 2 + 10 or abs(place[1] - other[1]) > 26 for other in taken)
    ]
    middle, height = (free or inside or places)[0]
    taken += [(middle - width / 4, height), (middle + width / 4, height)]
    canvas.text(middle, height - 3, point.arm.name, "label", "middle")
    canvas.text(middle, height + 11, counts(point.recall), "tick", "middle")


def pareto(points: list[tuple[float, float]]) -> set[int]:
    """Return which (effort, recall) no other beats: none with less or equal effort and more recall, or less effort
    and equal recall.

    >>> sorted(pareto([(1.0, 0.5), (2.0, 0.4), (3.0, 0.9), (1.0, 0.5)]))
    [0, 2, 3]
    """
    return {
        index
        for index, (effort, recall) in enumerate(points)
        if not any(x <= effort and y >= recall and (x, y) != (effort, recall) for x, y in points)
    }
