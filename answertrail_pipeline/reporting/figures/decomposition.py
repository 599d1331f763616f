"""Where the nuggets are lost: stated, retrieved but unused, never retrieved."""

from answertrail_pipeline.reporting.figures.svg import Canvas, Layout, Scale, heading, legend, row, row_height
from answertrail_pipeline.reporting.words import percent
from answertrail_pipeline.scoring.board import BoardArm, Scoreboard

PARTS = (
    ("recall", "stated", "stated"),
    ("unused", "unused", "retrieved but unused"),
    ("never_retrieved", "never", "never retrieved"),
)


def decomposition(board: Scoreboard, layout: Layout) -> str:
    """Draw the three parts of every arm's headline nuggets, tier by tier."""
    canvas = Canvas(layout, "Nuggets stated, retrieved but unused, and never retrieved")
    scale = Scale(0.0, 1.0, layout.left, layout.right)
    y = legend(canvas, [(klass, words) for _, klass, words in PARTS])
    for tier in board.tiers:
        y = heading(canvas, y, tier.capitalize())
        for arm in board.arms:
            if arm.metric(tier, "recall") is not None:
                y = _arm(canvas, scale, y, arm, tier)
        y += 12
    canvas.height = y
    return canvas.svg("stacked" if layout.stacked else "beside")


def _arm(canvas: Canvas, scale: Scale, y: float, arm: BoardArm, tier: str) -> float:
    parts = [arm.metric(tier, name) for name, _, _ in PARTS]
    total = parts[1].total if parts[1] else None
    if not total or any(part is None or part.hits is None for part in parts):
        reason = next((part.reason for part in parts if part and part.reason), "not known")
        row(canvas, y, arm.name, reason or "")
        return y + row_height(canvas.layout, arm.name, reason or "")
    hits = [int(part.hits) for part in parts if part and part.hits is not None]
    known = sum(hits)
    value = " / ".join(map(str, hits)) + (f" of {known}" if known == total else f" of {known} known")
    middle = row(canvas, y, arm.name, value)
    done = 0
    for (_, klass, words), number in zip(PARTS, hits, strict=True):
        start, end = scale(done / known), scale((done + number) / known)
        done += number
        if number == 0:
            continue
        tip = f"{arm.name}: {words} {number} of {known} ({percent(number / known)})"
        canvas.add(
            "rect", x=start, y=middle - 9, width=max(0.5, end - start - 1), height=18, rx=1.5, klass=klass, tip=tip
        )
        if end - start > 40:
            canvas.text((start + end) / 2, middle + 4, percent(number / known), f"in-{klass}", "middle")
    return y + row_height(canvas.layout, arm.name, value)
