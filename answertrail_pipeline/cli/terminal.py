"""How the terminal shows work: progress on standard error, results on standard output."""

import json
import sys
from decimal import Decimal
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from answertrail_pipeline.pipeline.watch import Listeners
from answertrail_pipeline.store.stage_run import StageReport, Unit, UnitState

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def print_json(value: Any) -> None:
    """Print a value as JSON, for programs."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2, sort_keys=True, default=str)
    sys.stdout.write("\n")


def table(*columns: str) -> Table:
    """Return an empty table in the house style."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column)
    return made


def dollars(low: Decimal | None, high: Decimal | None) -> str:
    """Return a range of dollars in words; an unknown price is never zero."""
    if low is None or high is None:
        return "unknown price"
    if high == 0:
        return "$0"
    return f"${low:.2f}" if low == high else f"${low:.2f} to ${high:.2f}"


class ProgressBars:
    """A watcher that draws a bar for each stage that has something to do, and a line when it ends."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=err,
            transient=True,
            disable=quiet,
        )
        self._task: TaskID | None = None

    def __enter__(self) -> "ProgressBars":
        """Start drawing."""
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop drawing."""
        self._progress.stop()

    def starts(self, _where: str, stage: str) -> Listeners:
        """Draw a bar once something is due."""

        def on_due(count: int) -> None:
            self._task = self._progress.add_task(stage, total=count) if count else None

        def on_unit(_unit: Unit, _state: UnitState) -> None:
            if self._task is not None:
                self._progress.advance(self._task)

        return Listeners(on_due, on_unit)

    def ends(self, where: str, report: StageReport, seconds: float) -> None:
        """Replace the bar with a line that says what was done."""
        if self._task is not None:
            self._progress.remove_task(self._task)
            self._task = None
        if self._quiet or not (report.computed or report.errors or report.blocked):
            return
        parts = [f"{report.computed} computed"]
        parts += [f"{report.current} current"] if report.current else []
        parts += [f"[yellow]{report.blocked} blocked[/]"] if report.blocked else []
        parts += [f"[red]{len(report.errors)} failed[/]"] if report.errors else []
        self._progress.console.print(f"  {where} · {report.stage:<12} {', '.join(parts)} · {seconds:.1f} s")

    def says(self, where: str, message: str) -> None:
        """Print a line."""
        if not self._quiet:
            self._progress.console.print(f"  {where} · {message}")
