"""`answertrail politnuggets`: careers reconstructed and scored; the demonstration of it."""

import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.terminal import ProgressBars, out

politnuggets = typer.Typer(
    help="Reconstruct and score the careers of people in public office.", no_args_is_help=True
)
app.add_typer(politnuggets, name="politnuggets")
Channel = Annotated[str, typer.Option(help="The channel of documents.")]


@politnuggets.command()
def demo(
    folder: Annotated[Path, typer.Option(help="Where the demonstration lives; made where absent.")] = Path(
        "politnuggets-demo"
    ),
) -> None:
    """Score six strategies on twelve people of an invented country; no key, no network."""
    from answertrail_pipeline.pipeline.politnuggets import DEMO_CHANNEL, copy_demo

    config = copy_demo(folder)
    _run(config, DEMO_CHANNEL, folder / "people.jsonl", folder / "report")


@politnuggets.command()
def run(
    people: Annotated[Path, typer.Argument(help="CSV or JSONL of people.")],
    channel: Channel,
    out_folder: Annotated[Path, typer.Option("--out", help="Folder of the report.")] = Path("politnuggets-report"),
    arm: Annotated[list[str] | None, typer.Option(help="Only these arms.")] = None,
) -> None:
    """Import people, run the biography arms, judge, pool, score and report."""
    from answertrail_pipeline.settings import find_config

    _run(find_config(), channel, people, out_folder, arm or ())


@politnuggets.command("people")
def list_people(channel: Channel) -> None:
    """List a channel's people."""
    from answertrail_pipeline.gold.biographies.people import load_people
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project, project.database.begin() as connection:
        for person in load_people(connection, channel).values():
            out.print(f"{person.person_id}  {person.name}  {person.country}  {person.office or ''}", markup=False)


@politnuggets.command()
def remove(person_id: str, channel: Channel) -> None:
    """Remove a person and everything that was made of the person's career."""
    from answertrail_pipeline.gold.biographies.people import remove_person
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project, project.database.begin() as connection:
        count = remove_person(connection, channel, person_id)
    out.print(f"{person_id}: {count} rows removed. Remove the documents from their source too.", markup=False)


def _run(config: Path, channel: str, people: Path, folder: Path, arms: Any = ()) -> None:
    from answertrail_pipeline.pipeline.politnuggets import run_politnuggets
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.reporting.biographies import difference_rows, main_rows

    began = time.monotonic()
    with open_project(config) as project, ProgressBars(quiet=False) as watcher:
        report = project.run(run_politnuggets(project, channel, people, arms, watcher=watcher, out=folder))
    if report.board is not None:
        from rich.table import Table

        table = Table("condition", "arm", "region", "event P", "event R", "event F1", "attribute F1")
        for row in main_rows(report.board):
            table.add_row(row[0], row[1], row[3], row[6], row[7], row[8], row[10])
        out.print(table)
        for line in difference_rows(report.board):
            out.print("  ".join(line), markup=False, soft_wrap=True)
    for path in report.files:
        out.print(str(path), markup=False, soft_wrap=True)
    out.print(f"{time.monotonic() - began:.0f} seconds.", markup=False)
    for key, reason in report.errors.items():
        out.print(f"failed: {key}: {reason}", markup=False)
    if report.errors:
        sys.exit(1)
