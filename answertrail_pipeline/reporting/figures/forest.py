"""Differences of arms as a forest plot: filled where planned, hollow where found afterwards."""

from itertools import groupby

from answertrail_pipeline.reporting.figures.svg import Canvas, Layout, Scale, axis, heading, row, row_height, ticks
from answertrail_pipeline.reporting.words import difference, points, probability
from answertrail_pipeline.scoring.board import BoardComparison, Scoreboard

SHOWN = ("recall", "recall_with_shift")


def forest(board: Scoreboard, layout: Layout) -> str | None:
    """Draw the differences in recall, and every planned one; None where there is nothing to compare."""
    shown = sorted(
        (
            one
            for one in board.comparisons
            if one.difference is not None and (one.hypothesis or one.metric in SHOWN)
        ),
        key=lambda one: (one.hypothesis is None, one.tier, one.metric, one.new, one.old),
    )
    if not shown:
        return None
    canvas = Canvas(layout, "Paired differences between arms, in points")
    ends = [
        end for one in shown for end in (one.difference, one.interval.low, one.interval.high) if end is not None
    ]
    reach = max(0.05, *(abs(end) for end in ends)) * 1.05
    scale = Scale(-reach, reach, layout.left, layout.right)
    y = 2.0
    grid_from, top = len(canvas.marks), 2.0
    for key, group in groupby(shown, lambda one: (bool(one.hypothesis), one.tier, one.metric)):
        planned, tier, metric = key
        word = "planned" if planned else "found"
        y = heading(canvas, y, f"{tier.capitalize()} · {board.definition(metric).title.lower()} · {word}")
        for one in group:
            y = _difference(canvas, scale, y, one)
        y += 6
    rows = canvas.marks[grid_from:]
    del canvas.marks[grid_from:]
    axis(canvas, scale, top + 20, y, [(tick, points(tick) if tick else "0") for tick in ticks(-reach, reach, 6)])
    canvas.line(scale(0.0), top + 20, scale(0.0), y, "zero")
    canvas.marks += rows
    canvas.height = y + 24
    return canvas.svg("stacked" if layout.stacked else "beside")


def _difference(canvas: Canvas, scale: Scale, y: float, one: BoardComparison) -> float:
    label = f"{one.new} − {one.old}"
    value = f"{difference(one)}  p {probability(one.p_holm)}"
    written = value if one.interval.reason is None else f"{points(one.difference or 0.0)} (no interval)"
    middle = row(canvas, y, label, written)
    below = y + row_height(canvas.layout, label, written)
    if one.difference is None:
        return below
    if one.interval.low is not None and one.interval.high is not None:
        canvas.line(scale(one.interval.low), middle, scale(one.interval.high), middle, "bar ink")
    tip = (
        f"{label}: {value}, {one.interval.method}; {one.new_hits}/{one.new_total} against"
        f" {one.old_hits}/{one.old_total} over {one.questions} questions"
    )
    klass = "dot fink" if one.hypothesis else "dot hollow"
    canvas.add("circle", cx=scale(one.difference), cy=middle, r=5, klass=klass, tip=tip)
    return below
