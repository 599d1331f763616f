"""Recall with its interval, a line an arm: dot and bar; the retrieval ceiling as a hollow mark beside it."""

from answertrail_pipeline.reporting.figures.svg import (
    ARM_COLOURS,
    Canvas,
    Layout,
    Scale,
    axis,
    heading,
    row,
    row_height,
)
from answertrail_pipeline.reporting.words import brief, number
from answertrail_pipeline.scoring.board import BoardArm, BoardMetric, Scoreboard

OF = {"factual": "fact nuggets", "longitudinal": "stance nuggets"}


def recall(board: Scoreboard, layout: Layout) -> str:
    """Draw headline recall of every arm, tier by tier."""
    canvas = Canvas(layout, "Recall with intervals, by tier and arm")
    scale = Scale(0.0, 1.0, layout.left, layout.right)
    y = 2.0
    for tier in board.tiers:
        y = heading(canvas, y, f"{tier.capitalize()} · {OF[tier]}")
        top = y
        grid_from = len(canvas.marks)
        for place, arm in enumerate(board.arms):
            metric = arm.metric(tier, "recall")
            if metric is not None:
                y = _arm(canvas, scale, y, arm, metric, place % ARM_COLOURS)
        rows = canvas.marks[grid_from:]
        del canvas.marks[grid_from:]
        axis(canvas, scale, top, y, [(tick / 5, f"{20 * tick}%") for tick in range(6)])
        canvas.marks += rows
        y += 34
    canvas.height = y - 8
    return canvas.svg("stacked" if layout.stacked else "beside")


def _arm(canvas: Canvas, scale: Scale, y: float, arm: BoardArm, metric: BoardMetric, colour: int) -> float:
    written = brief(metric)
    below = y + row_height(canvas.layout, arm.name, written)
    middle = row(canvas, y, arm.name, written)
    if metric.value is None:
        return below
    ends = metric.interval
    if metric.unscored and metric.bound_low is not None and metric.bound_high is not None:
        canvas.line(scale(metric.bound_low), middle, scale(metric.bound_high), middle, f"bounds s{colour}")
    if ends.low is not None and ends.high is not None:
        canvas.line(scale(ends.low), middle, scale(ends.high), middle, f"bar s{colour}")
    ceiling = arm.metric(metric.tier, "ceiling")
    if ceiling is not None and ceiling.value is not None:
        x = scale(ceiling.value)
        tip = f"retrieval ceiling {number(ceiling, share=True)}"
        canvas.add("path", d=f"M{x:.1f} {middle - 8:.1f}V{middle + 8:.1f}", klass=f"ceiling s{colour}", tip=tip)
    canvas.add(
        "circle", cx=scale(metric.value), cy=middle, r=5.5, klass=f"dot f{colour}", tip=f"{arm.name}: {written}"
    )
    return below
