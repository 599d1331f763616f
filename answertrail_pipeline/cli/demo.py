"""`answertrail demo`: the whole pipeline on a fictional library, without key, server or network."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.run import tell_dagster
from answertrail_pipeline.cli.terminal import ProgressBars, out

if TYPE_CHECKING:
    from answertrail_pipeline.demo.run import Shown


@app.command()
def demo(
    folder: Annotated[Path, typer.Option(help="Where the demonstration lives; made where absent.")] = Path(
        "answertrail-demo"
    ),
) -> None:
    """Run the demonstration and show what came of what is planted in it."""
    from answertrail_pipeline.demo.run import copy_demo, run_demo
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.reporting.stage import report_folder
    from answertrail_pipeline.reporting.terminal import print_scoreboard

    config = copy_demo(folder)
    os.environ["ANSWERTRAIL_CONFIG"] = str(config.absolute())
    with open_project(config) as project, ProgressBars() as watcher:
        shown = project.run(run_demo(project, watcher))
        tell_dagster(project)
        page = report_folder(project.settings, "demo") / "report.html"
    if shown.report.computed == 0:
        out.print("Nothing has changed since the last run, so nothing was computed.")
    out.print()
    out.print("[bold]On the questions that the pipeline proposed itself[/] (kept by policy auto, no person)")
    print_scoreboard(shown.own, out)
    out.print("[bold]On the hand-written questions of the truth file[/]")
    print_scoreboard(shown.written, out)
    _print_findings(shown)
    out.print(f"The report: {page}")
    out.print(f"The Dagster UI: `answertrail --config {config} dev`")
    if shown.report.errors:
        for key, reason in shown.report.errors.items():
            out.print(f"[red]{key} failed[/]: {reason}")
        sys.exit(1)


def _print_findings(shown: "Shown") -> None:
    found = shown.findings
    shifts = len(found.shifts_in_threads) + len(found.shifts_missed)
    out.print("[bold]What came through of what is planted[/] (rules only; a model should find more)")
    out.print(f"  facts that became claims      {found.facts_found} of {found.facts}")
    out.print(f"  changed views that became a thread   {len(found.shifts_in_threads)} of {shifts}")
    out.print(f"  changed views that became nuggets    {len(found.shifts_in_nuggets)} of {shifts}")
    trap = "kept out" if found.trap_kept_out else "NOT kept out"
    out.print(f"  the view that never changed   {trap}")
    cases = ", ".join(f"{kind.replace('_', ' ')} {hit}/{total}" for kind, (hit, total) in found.hard_cases.items())
    out.print(f"  hard cases that became claims {cases}")
    out.print()
