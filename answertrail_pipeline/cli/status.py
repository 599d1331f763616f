"""`answertrail status`, `tasks`, `costs`: how things stand."""

from typing import Annotated

import typer
from rich.markup import escape
from sqlalchemy import text

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.run import Channel, Json
from answertrail_pipeline.cli.terminal import dollars, out, print_json, table


@app.command()
def status(channel: Channel = "", as_json: Json = False) -> None:
    """Show how each channel stands: videos, units by stage and state, quarantine, what waits for people."""
    from answertrail_pipeline.corpus.figures import channel_figures
    from answertrail_pipeline.gold.adjudication import waiting
    from answertrail_pipeline.pipeline.checks import all_checks
    from answertrail_pipeline.pipeline.chosen import chosen_channels
    from answertrail_pipeline.pipeline.lineage import DEPENDS_ON
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.store.shipped import read_sql

    with open_project() as project:
        channels = chosen_channels(project, channel)
        figures = {name: channel_figures(project.database, name, project.channel(name)) for name in channels}
        waits = {name: waiting(project.database, name) for name in channels}
        with project.database.begin() as connection:
            units = connection.execute(text(read_sql("queries/units_by_state.sql")), {"channels": channels}).all()
        checks = [outcome for name in channels for outcome in all_checks(project, name)]
    if as_json:
        print_json(
            {
                "channels": {name: {**vars(figures[name]), "waiting": waits[name]} for name in channels},
                "units": [dict(row._mapping) for row in units],
                "checks": [
                    {**vars(outcome), "passed": outcome.passed, "stops": outcome.stops} for outcome in checks
                ],
            }
        )
        return
    for name in channels:
        videos = ", ".join(
            f"{count} {state.replace('_', ' ')}" for state, count in figures[name].videos.items() if count
        )
        out.print(f"[bold]{name}[/]: {videos or 'no videos'}; {figures[name].chunks:,} chunks")
        waiting_now = ", ".join(f"{count} {kind}" for kind, count in waits[name].items() if count)
        if waiting_now:
            out.print(f"  waiting for a person: {waiting_now}")
    order = list(DEPENDS_ON)
    shown = table("channel", "stage", "done", "unscored", "blocked", "failed", "first reason")
    for row in sorted(units, key=lambda row: (row.channel, order.index(row.stage) if row.stage in order else 99)):
        states = [str(count or "") for count in (row.done, row.unscored, row.blocked, row.error)]
        shown.add_row(row.channel, row.stage, *states, row.reason or "")
    out.print(shown)
    for outcome in checks:
        if not outcome.passed:
            colour = "red" if outcome.severity == "error" else "yellow"
            such = f"{outcome.violations} of {outcome.numbers['of']}, such as {outcome.examples[0]}"
            what = f"{outcome.channel}: [{colour}]{outcome.name}[/]"
            out.print(f"{what}: {escape(such)}{' (what hangs on it waits)' if outcome.stops else ''}")


@app.command()
def tasks(as_json: Json = False) -> None:
    """List every task of model work with its version and prompt hash."""
    from answertrail_pipeline.tasks.registry import all_tasks

    listed = all_tasks()
    if as_json:
        print_json([{"task": t.name, "version": t.version, "prompt_hash": t.prompt_hash} for t in listed])
        return
    shown = table("task", "version", "prompt hash")
    for task in listed:
        shown.add_row(task.name, task.version, task.prompt_hash[:12])
    out.print(shown)


@app.command()
def costs(
    by: Annotated[str, typer.Option(help="task, stage, run or arm.")] = "stage",
    channel: Annotated[str, typer.Option(help="Only this channel.")] = "",
) -> None:
    """Show what model calls have cost so far, from the ledger."""
    from answertrail_pipeline.errors import UserError
    from answertrail_pipeline.models.figures import spending
    from answertrail_pipeline.pipeline.project import open_project

    if by not in ("task", "stage", "run", "arm"):
        raise UserError(f"No account `{by}`.", "Choose task, stage, run or arm.")
    with open_project() as project, project.database.begin() as connection:
        rows = spending(connection, by, channel or None)  # type: ignore[arg-type]
    shown = table("channel", by, "model", "calls", "failed", "tokens in", "tokens out", "cost", "of unknown price")
    for row in rows:
        counts = (row.calls, row.failed, row.prompt_tokens or 0, row.completion_tokens or 0)
        known = dollars(row.known_usd, row.known_usd)
        figures = [f"{count:,}" for count in counts]
        shown.add_row(row.channel, row.name, row.model, *figures, known, f"{row.calls_of_unknown_cost:,}")
    out.print(shown)
