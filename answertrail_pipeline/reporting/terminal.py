"""The scoreboard in a terminal: what `answertrail demo` and `answertrail score` print."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from answertrail_pipeline.reporting import words
from answertrail_pipeline.scoring.board import Scoreboard

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

SHOWN = (
    "recall",
    "recall_with_shift",
    "ceiling",
    "conversion",
    "groundedness",
    "citation_precision",
    "chunks",
    "cost_usd",
)


def print_scoreboard(board: Scoreboard, console: "Console") -> None:
    """Print a scoreboard: a table a tier, the differences, the notes, and what was left out."""
    for part in scoreboard_tables(board):
        console.print(part)


def scoreboard_tables(board: Scoreboard) -> "Iterator[RenderableType]":
    """Yield the parts of a printed scoreboard."""
    from rich.markup import escape
    from rich.table import Table

    for tier in board.tiers:
        arms = [arm for arm in board.arms if arm.metric(tier, "recall")]
        table = Table(title=f"{tier.capitalize()}, gold {board.gold_version}", title_justify="left", expand=False)
        table.add_column("")
        for arm in arms:
            table.add_column(escape(arm.name), justify="right")
        for name in SHOWN:
            metrics = [arm.metric(tier, name) for arm in arms]
            if not any(metric and metric.value is not None for metric in metrics):
                continue
            meaning = board.definition(name)
            share = meaning.kind == "share"
            cells = [
                _cell(
                    words.value(m, share=share),
                    words.interval(m.interval, share=share),
                    words.counts(m),
                    m.unscored,
                )
                if m and m.value is not None
                else f"{words.NONE}\n[dim]{escape((m.reason if m else None) or '')}[/]"
                for m in metrics
            ]
            table.add_row(f"{meaning.title}\n[dim]of {meaning.of}[/]", *cells)
        yield table
    if board.comparisons:
        yield _differences(board)
    for note in _notes(board):
        yield f"[yellow]{escape(note)}[/]"
    for one in board.left_out:
        yield f"[dim]left out: {escape(one.kind)} {escape(one.id)}: {escape(one.reason)}[/]"


def _cell(value: str, interval: str, counts: str, unscored: int) -> str:
    more = f", {unscored} unscored" if unscored else ""
    return f"[bold]{value}[/]\n[dim]\\{interval} {counts}{more}[/]" if interval.startswith("[") else (
        f"[bold]{value}[/]\n[dim]{interval}; {counts}{more}[/]"
    )  # fmt: skip


def _differences(board: Scoreboard) -> "RenderableType":
    from rich.markup import escape
    from rich.table import Table

    table = Table(title="Differences in recall, points", title_justify="left", expand=False)
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
                words.NONE if one.detectable is None else f"{100 * one.detectable:.1f}",
            )
    return table


def _notes(board: Scoreboard) -> list[str]:
    notes = [*board.notes]
    for arm in board.arms:
        notes += [f"{arm.name}: {note}" for note in arm.notes]
        notes += [f"{arm.name}: {note}" for metric in arm.metrics for note in metric.notes]
    return [*dict.fromkeys(notes), *board.broken_identities]
