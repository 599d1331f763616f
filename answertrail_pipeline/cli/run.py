"""`answertrail plan`, `run`, `ingest`: everything that is missing or changed, in order."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.terminal import ProgressBars, dollars, out, print_json, table

if TYPE_CHECKING:
    from answertrail_pipeline.pipeline.channel_pass import ChannelReport
    from answertrail_pipeline.pipeline.project import Project

Channel = Annotated[str, typer.Option(help="Only this channel; all of the configuration where not given.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for programs.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
Yes = Annotated[bool, typer.Option("--yes", help="Spend money without a budget in the configuration.")]


@app.command()
def plan(channel: Channel = "", as_json: Json = False) -> None:
    """Show what `run` would compute now, and what it would cost. Nothing is computed or spent."""
    from answertrail_pipeline.pipeline.chosen import chosen_channels
    from answertrail_pipeline.pipeline.plan import plan_channel
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        lines = [
            line for each in chosen_channels(project, channel) for line in project.run(plan_channel(project, each))
        ]
    if as_json:
        print_json([{**vars(line), "cost": [line.cost.low_usd, line.cost.high_usd]} for line in lines])
        return
    shown = table("channel", "what", "units due", "model calls", "cost", "")
    for line in lines:
        units = "?" if line.units is None else str(line.units)
        calls = "?" if line.calls is None else str(line.calls)
        cost = dollars(line.cost.low_usd, line.cost.high_usd) if line.units is not None else "?"
        shown.add_row(line.channel, line.what, units, calls, cost, line.why)
    out.print(shown)


@app.command()
def run(
    channel: Channel = "",
    policy: Annotated[
        str,
        typer.Option(
            help="people: stop after proposals until a person has decided. auto: keep what passes all gates; for "
            "demonstrations and trials, and named on every number made with it."
        ),
    ] = "people",
    yes: Yes = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Do everything that is missing or changed, from captions to the report."""
    from answertrail_pipeline.pipeline.chosen import chosen_channels
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.pipeline.run import check_policy, run_channels

    chosen = check_policy(policy)
    with open_project() as project, ProgressBars(quiet=quiet or as_json) as watcher:
        refuse_to_spend(project, yes=yes)
        channels = chosen_channels(project, channel)
        reports = project.run(run_channels(project, channels, chosen, watcher))
        tell_dagster(project)
    show(reports, as_json=as_json, quiet=quiet)


@app.command()
def ingest(
    channel: Channel = "",
    files: Annotated[bool, typer.Option("--files", help="List the files that were read in full too.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Read captions into chunks, and say for each file what was kept and lost."""
    from answertrail_pipeline.cli.ingested import show_ingested
    from answertrail_pipeline.pipeline.chosen import chosen_channels
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.pipeline.run import ingest_channels

    with open_project() as project, ProgressBars(quiet=quiet or as_json) as watcher:
        channels = chosen_channels(project, channel)
        reports = project.run(ingest_channels(project, channels, watcher))
        tell_dagster(project)
        usable = show_ingested(project, channels, every_file=files, as_json=as_json, quiet=quiet)
    if not usable or any(report.errors for report in reports):
        sys.exit(1)


def refuse_to_spend(project: "Project", *, yes: bool) -> None:
    """Ask for consent before models are paid.

    Raises:
        UserError: a paid model is configured, with neither a budget that is left nor `--yes`.
    """
    from answertrail_pipeline.pipeline.plan import refuse_to_spend as refuse

    refuse(project, yes=yes)


def tell_dagster(project: "Project") -> None:
    """Report what was done to the project's Dagster instance, if anything was."""
    from answertrail_pipeline.store.reported import unreported

    with project.database.begin() as connection:
        if not unreported(connection):
            return
    from answertrail_pipeline.assets.instance import open_instance
    from answertrail_pipeline.assets.outbox import report_all

    with open_instance(project) as instance:
        report_all(instance, project)


def show(reports: "Sequence[ChannelReport]", *, as_json: bool, quiet: bool) -> None:
    """Print what a pass did, and exit with 1 if units failed."""
    if as_json:
        print_json([_as_json(report) for report in reports])
    elif not quiet:
        for report in reports:
            _print(report)
    if any(report.errors or report.stopped for report in reports):
        sys.exit(1)


def _as_json(report: "ChannelReport") -> dict[str, Any]:
    stages = [{**vars(stage), "errors": dict(stage.errors)} for stage in report.stages]
    return {**vars(report), "stages": stages, "computed": report.computed, "errors": report.errors}


def _print(report: "ChannelReport") -> None:
    for reason in report.stopped:
        out.print(f"{report.channel}: [red]stopped[/]: {reason}")
    if not report.computed and not report.errors and not report.stopped:
        out.print(f"{report.channel}: nothing to do, everything is up to date.")
    for key, reason in list(report.errors.items())[:20]:
        out.print(f"{report.channel}: [red]{key} failed[/]: {reason}")
    waiting = {kind: count for kind, count in report.waiting.items() if count}
    if waiting:
        told = " and ".join(f"{count} {kind}" for kind, count in waiting.items())
        out.print(f"{report.channel}: {told} wait for a person. Decide in `answertrail workbench` or export them")
        out.print("  with `answertrail gold export-proposals`, then `answertrail gold freeze` and run again.")
    if report.runs:
        out.print(f"{report.channel}: {len(report.runs)} runs on gold {report.gold_version} are scored.")
