"""The scoreboard in a terminal: what `answertrail demo` and `answertrail score` print."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from answertrail_pipeline.reporting import words
from answertrail_pipeline.reporting.page import board_notes
from answertrail_pipeline.scoring.board import BoardMetric, Scoreboard

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

SHOWN = ("recall", "recall_with_shift", "ceiling", "conversion", "groundedness")
TITLES = {
    "recall": "recall",
    "recall_with_shift": "with shift",
    "ceiling": "ceiling",
    "conversion": "conversion",
    "groundedness": "grounded",
}
"""A column has little room here; the report has the full names and what each is a share of."""


def print_scoreboard(board: Scoreboard, console: "Console") -> None:
    """Print a scoreboard: a table a tier, the differences, the notes, and what was left out."""
    for part in scoreboard_tables(board):
        console.print(part)


def scoreboard_tables(board: Scoreboard) -> "Iterator[RenderableType]":
    """Yield the parts of a printed scoreboard."""
    from rich.markup import escape

    for tier in board.tiers:
        yield _tier(board, tier)
    if board.comparisons:
        yield _differences(board)
    for note in board_notes(board):
        yield f"[yellow]{escape(note)}[/]"
    for one in board.left_out:
        yield f"[dim]left out: {escape(one.kind)} {escape(one.id)}: {escape(one.reason)}[/]"


def _tier(board: Scoreboard, tier: str) -> "RenderableType":
    """Return one row an arm: each share with its counts and its interval."""
    from rich.markup import escape

    arms = [arm for arm in board.arms if arm.metric(tier, "recall")]
    names = [name for name in SHOWN if any((m := arm.metric(tier, name)) and m.value is not None for arm in arms)]
    table = _table(f"{tier.capitalize()}, micro, gold {board.gold_version}")
    table.add_column("arm", no_wrap=True)
    for name in names:
        table.add_column(TITLES[name])
    for arm in arms:
        table.add_row(escape(arm.name), *(_cell(arm.metric(tier, name)) for name in names))
    return table


def _cell(metric: BoardMetric | None) -> str:
    from rich.markup import escape

    if metric is None or metric.value is None:
        return f"{words.NONE}\n[dim]{escape((metric.reason if metric else None) or '')}[/]"
    more = f", {metric.unscored} unscored" if metric.unscored else ""
    made = metric.interval
    interval = words.interval(made, share=True) if made.low is not None else f"no interval:\n{made.reason}"
    return f"[bold]{words.value(metric, share=True)}[/] {words.counts(metric)}{more}\n[dim]{escape(interval)}[/]"


def _table(title: str) -> "Table":
    from rich.table import Table

    return Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, expand=False)


def _differences(board: Scoreboard) -> "RenderableType":
    from rich.markup import escape

    table = _table("Differences in recall, points")
    for column in ("tier", "arms", "difference", "p (Holm)", "could show"):
        table.add_column(column, justify="right" if column not in ("tier", "arms") else "left")
    for one in board.comparisons:
        if one.metric == "recall" or one.hypothesis:
            table.add_row(
                one.tier,
                escape(f"{one.new} − {one.old}")
                + (f"\n[dim]planned: {escape(one.hypothesis)}[/]" if one.hypothesis else ""),
                escape(words.difference(one)),
                words.probability(one.p_holm),
                words.detectable(one.detectable),
            )
    return table
