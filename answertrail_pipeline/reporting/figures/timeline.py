"""A longitudinal question over time: windows with HIT or MISS, the evidence, and what each arm retrieved."""

from collections.abc import Sequence
from datetime import date

from answertrail_pipeline.reporting.details import NuggetDetail, QuestionDetail
from answertrail_pipeline.reporting.figures.svg import ARM_COLOURS, Canvas, Layout, Scale

LABEL = 34
"""So many characters of a nugget's text stand beside its window; all of it shows on hovering and in the table."""


def timeline(question: QuestionDetail, arms: Sequence[str], span: tuple[date, date], layout: Layout) -> str:
    """Draw one question.

    Args:
        arms: names of the arms in the scoreboard's order, which sets their colours.
        span: first and last day of the axis.
    """
    canvas = Canvas(layout, f"{question.question_id}: windows, evidence and what was retrieved, over time")
    left, right = (6.0, layout.width - 6.0) if layout.stacked else (225.0, layout.width - 24.0 - 14.0 * len(arms))
    scale = Scale(span[0].toordinal(), max(span[1].toordinal(), span[0].toordinal() + 1), left, right)
    top = y = 6.0
    for nugget in question.nuggets:
        y = _window(canvas, scale, y, nugget, arms)
    y = _dates(canvas, scale, y, "the gold's evidence", question.evidence, "evidence")
    for place, arm in enumerate(arms):
        if arm in question.retrieved:
            y = _dates(
                canvas, scale, y, f"{arm} retrieved", question.retrieved[arm], f"tickmark s{place % ARM_COLOURS}"
            )
    grid = len(canvas.marks)
    for day in _years_and_quarters(*span):
        canvas.line(scale(day.toordinal()), top, scale(day.toordinal()), y, "grid")
        words = str(day.year) if day.month == 1 else f"{day:%b}"
        canvas.text(scale(day.toordinal()), y + 14, words, "tick", "middle")
    canvas.marks = canvas.marks[grid:] + canvas.marks[:grid]
    canvas.height = y + 20
    return canvas.svg("time")


def _window(canvas: Canvas, scale: Scale, y: float, nugget: NuggetDetail, arms: Sequence[str]) -> float:
    words = nugget.text if nugget.kind == "stance" else f"{nugget.kind}: {nugget.text}"
    short = words if len(words) <= LABEL else words[: LABEL - 1].rstrip() + "…"
    if canvas.layout.stacked:
        canvas.text(6, y + 11, words if len(words) <= 48 else words[:47].rstrip() + "…", "tick")
        y += 16
    else:
        canvas.add("text", short, x=212, y=y + 12, klass="tick", text_anchor="end", tip=words)
    hits = sum(hit for hit, _ in nugget.stated.values())
    known = sum(total for _, total in nugget.stated.values())
    if nugget.window_from and nugget.window_to:
        start, end = scale(nugget.window_from.toordinal()), scale(nugget.window_to.toordinal())
        tip = f"{nugget.window_text or ''} · stated in {hits} of {known} runs"
        canvas.add("rect", x=start, y=y + 2, width=max(4.0, end - start), height=12, rx=3, klass="window", tip=tip)
    elif not canvas.layout.stacked:
        canvas.text(scale(scale.low) + 4, y + 12, "no window", "tick")
    x = canvas.layout.width - 6.0
    for place in reversed(range(len(arms))):
        if arms[place] in nugget.stated:
            hit, total = nugget.stated[arms[place]]
            tip = f"{arms[place]}: stated in {hit} of {total} runs"
            klass = f"dot f{place % ARM_COLOURS}" if hit == total else f"dot hollow s{place % ARM_COLOURS}"
            if 0 < hit < total:
                canvas.add("circle", cx=x, cy=y + 8, r=2, klass=f"f{place % ARM_COLOURS}")
            canvas.add("circle", cx=x, cy=y + 8, r=4.5, klass=klass, tip=tip)
            x -= 14
    return y + 20


def _dates(canvas: Canvas, scale: Scale, y: float, label: str, dates: Sequence[date], klass: str) -> float:
    if canvas.layout.stacked:
        canvas.text(6, y + 11, f"{label} ({len(dates)})", "tick")
        y += 14
    else:
        canvas.text(212, y + 12, f"{label} ({len(dates)})", "tick", "end")
    for day in sorted(set(dates)):
        x = scale(day.toordinal())
        if klass == "evidence":
            canvas.add("path", d=f"M{x:.1f} {y + 2:.1f}l6 6l-6 6l-6 -6z", klass=klass, tip=day.isoformat())
        else:
            canvas.line(x, y + 3, x, y + 13, klass)
    return y + 19


def _years_and_quarters(first: date, last: date) -> list[date]:
    """Return the first days of quarters within a span; of years only where it is longer than four years."""
    months = (1,) if last.year - first.year > 4 else (1, 4, 7, 10)
    days = [date(year, month, 1) for year in range(first.year, last.year + 1) for month in months]
    return [day for day in days if first <= day <= last]
