"""Every question by every run: how many of its headline nuggets the answer states; worst questions first."""

from collections.abc import Callable

from answertrail_pipeline.reporting.figures.svg import Canvas, Layout
from answertrail_pipeline.reporting.words import percent
from answertrail_pipeline.scoring.board import BoardCell, BoardQuestion, Scoreboard

MOST = 240
"""So many questions of a tier are drawn; all are in `tables/questions.csv`."""
CELL = 17.0

Href = Callable[[str, str], str | None]
"""From run key and question id to the page of that trail, or None."""


def worst_first(board: Scoreboard, tier: str) -> list[BoardQuestion]:
    """Return the questions of a tier that count, those of least recall over all runs first."""

    def share(question: BoardQuestion) -> float:
        total = sum(cell.total - cell.unscored for cell in question.cells)
        return sum(cell.stated for cell in question.cells) / total if total else 1.0

    counted = [
        question for question in board.questions if question.tier == tier and not question.out and question.cells
    ]
    return sorted(counted, key=lambda question: (share(question), question.question_id))


def heat(board: Scoreboard, tier: str, href: Href, layout: Layout) -> str | None:
    """Draw the questions of a tier as columns and the runs as rows, in bands; None where nothing is scored."""
    questions = worst_first(board, tier)[:MOST]
    runs = [(arm.name, run) for arm in board.arms for run in arm.runs]
    if not questions or not runs:
        return None
    canvas = Canvas(layout, f"Recall of every question in every run, {tier}")
    left = 0.0 if layout.stacked else 150.0
    columns = int((layout.width - left - 4) // CELL)
    y = 2.0
    for start in range(0, len(questions), columns):
        y = _band(canvas, questions[start : start + columns], runs, left, y, href)
    canvas.height = y
    return canvas.svg("heat")


def _band(
    canvas: Canvas, questions: list[BoardQuestion], runs: list[tuple[str, str]], left: float, y: float, href: Href
) -> float:
    cells = [{cell.run_key: cell for cell in question.cells} for question in questions]
    last = ""
    for arm, run_key in runs:
        if arm != last:
            if canvas.layout.stacked:
                canvas.text(left, y + 13, arm, "tick")
                y += 18
            elif last:
                y += 5
        repetition = run_key.rpartition("/")[2]
        if not canvas.layout.stacked:
            canvas.text(left - 10, y + 12.5, f"{arm} {repetition}" if arm != last else repetition, "tick", "end")
        last = arm
        for place, question in enumerate(questions):
            cell = cells[place].get(run_key)
            if cell is not None:
                _cell(canvas, left + place * CELL, y, question, arm, cell, href(run_key, question.question_id))
        y += CELL
    for place, question in enumerate(questions):
        x = left + place * CELL + CELL / 2 + 4
        canvas.add(
            "text", question.question_id[:12], x=x, y=y + 8, klass="tick", text_anchor="end",
            transform=f"rotate(-60 {x:.1f} {y + 8:.1f})",
        )  # fmt: skip
    return y + 68


def _cell(
    canvas: Canvas, x: float, y: float, question: BoardQuestion, arm: str, cell: BoardCell, href: str | None
) -> None:
    scored = cell.total - cell.unscored
    share = cell.stated / scored if scored else 0.0
    told = f"{cell.stated} of {scored} stated ({percent(share)})" if scored else "unscored"
    tip = f"{question.question_id}, {arm}, {cell.run_key.rpartition('/')[2]}: {told}"
    if cell.unscored:
        tip += f", {cell.unscored} unscored"
    before = len(canvas.marks)
    klass = "cell none" if not scored else "cell zero" if share == 0 else "cell"
    canvas.add("rect", x=x, y=y, width=CELL - 2, height=CELL - 2, rx=2.5, klass=klass, tip=tip,
               fill_opacity=f"{0.16 + 0.84 * share:.2f}")  # fmt: skip
    if href:
        canvas.link(href, before)
