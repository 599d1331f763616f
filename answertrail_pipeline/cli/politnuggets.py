"""`answertrail politnuggets`: careers reconstructed and scored; the demonstration of it."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.run import Yes, refuse_to_spend, tell_dagster
from answertrail_pipeline.cli.terminal import ProgressBars, out, table

if TYPE_CHECKING:
    from answertrail_pipeline.scoring.factnet.board import Board

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
    yes: Yes = False,
) -> None:
    """Import people, run the biography arms, judge, pool, score and report."""
    from answertrail_pipeline.settings import find_config

    _run(find_config(), channel, people, out_folder, arm or (), yes=yes)


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
    from answertrail_pipeline.gold.biographies.removal import remove_person
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project, project.database.begin() as connection:
        count = remove_person(connection, channel, person_id)
    out.print(f"{person_id}: {count} rows removed. Remove the documents from their source too.", markup=False)


@politnuggets.command()
def freeze(channel: Channel) -> None:
    """Freeze the base with the events that people promoted in the workbench as the next gold version."""
    from answertrail_pipeline.gold.biographies.promotions import freeze_promoted
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        gold = freeze_promoted(project.database, channel)
    events = sum(len(question.nuggets) for question in gold.questions)
    out.print(f"Gold {gold.gold_version}: {len(gold.questions)} people, {events} events.", markup=False)


@politnuggets.command("consolidate")
def consolidate_base(
    channel: Channel,
    at_least: Annotated[int, typer.Option(min=1, help="How many runs' own archives must support an event.")] = 2,
) -> None:
    """Freeze a base made from the declared runs, where no external one is known."""
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.scoring.factnet.consolidate import consolidate

    with open_project() as project:
        gold = consolidate(project.database, project.settings, channel, at_least)
    events = sum(len(question.nuggets) for question in gold.questions)
    out.print(f"Gold {gold.gold_version}: {len(gold.questions)} people, {events} events. Evaluate on it anew.")


@politnuggets.command()
def pool(
    runs: Annotated[list[str], typer.Argument(help="Run keys, as `answertrail runs` lists them.")],
    channel: Channel,
    yes: Yes = False,
) -> None:
    """Declare which runs make the channel's pool, then pool, score and report; new pairs may ask the judge."""
    from answertrail_pipeline.agents.runs import load_run
    from answertrail_pipeline.errors import UserError
    from answertrail_pipeline.gold.versions import load_gold
    from answertrail_pipeline.pipeline.channel_pass import Pass
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.scoring.factnet.kept import biography_board
    from answertrail_pipeline.scoring.factnet.stage import declare_pool, declare_set

    with open_project() as project, ProgressBars(quiet=False) as watcher:
        refuse_to_spend(project, yes=yes)
        gold = load_gold(project.database, channel, load_run(project.database, runs[0]).gold_version)
        if gold is None:
            raise UserError(f"The gold of {runs[0]} is gone.", "Name runs over a gold version that is there.")
        declare_pool(project.database, project.settings, gold, runs)
        declare_set(project.database, gold, runs)
        work = Pass(project, channel, watcher)
        project.run(work.score())
        board = biography_board(project.database, channel, project.settings)
        tell_dagster(project)
    _show(board)


@politnuggets.command()
def audit(
    channel: Channel,
    draw: Annotated[
        int, typer.Option(min=0, help="Draw so many pairs of each purpose, language and label of the judge.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Another seed draws other pairs; the same one draws the same.")] = 0,
) -> None:
    """Draw verdicts for people to label blind in the workbench, and print how far the judge agrees with them."""
    from answertrail_pipeline.judging.drawing import Design
    from answertrail_pipeline.judging.judges import configured_judge
    from answertrail_pipeline.judging.pairs import draw_pairs
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.reporting.biography_tables import AUDIT, audit_cells
    from answertrail_pipeline.scoring.factnet.audit import AUDITED, audit_rows, load_audited

    with open_project() as project:
        judge = configured_judge(project.settings)
        if draw:
            design = Design(draw, 0, AUDITED, seed, by_language=True)
            for stratum, (population, taken) in draw_pairs(
                project.database, channel, judge, design
            ).strata.items():
                out.print(f"{stratum}: {taken} of {population}", markup=False)
        with project.database.begin() as connection:
            rows = audit_rows(load_audited(connection, channel, judge.judge_id))
    shown = table(*AUDIT)
    for row in rows:
        shown.add_row(*audit_cells(row))
    out.print(shown if rows else "Nobody has labelled yet: `answertrail workbench`, page Label.")


def _run(config: Path, channel: str, people: Path, folder: Path, arms: Any = (), *, yes: bool = False) -> None:
    from answertrail_pipeline.pipeline.politnuggets import run_politnuggets
    from answertrail_pipeline.pipeline.project import open_project

    began = time.monotonic()
    with open_project(config) as project, ProgressBars(quiet=False) as watcher:
        refuse_to_spend(project, yes=yes)
        report = project.run(run_politnuggets(project, channel, people, arms, watcher=watcher, out=folder))
        tell_dagster(project)
    if report.board is not None:
        _show(report.board)
    for path in report.files:
        out.print(str(path), markup=False, soft_wrap=True)
    out.print(f"{time.monotonic() - began:.0f} seconds.", markup=False)
    for key, reason in report.errors.items():
        out.print(f"failed: {key}: {reason}", markup=False)
    if report.errors:
        sys.exit(1)


def _show(board: "Board") -> None:
    """Print the main table, with the differences and gaps below it."""
    from answertrail_pipeline.reporting.biography_tables import difference_rows, terminal_rows

    shown = table("condition", "arm", "region", "event P", "event R", "event F1", "attribute F1")
    for row in terminal_rows(board):
        shown.add_row(*row)
    out.print(shown)
    for line in difference_rows(board):
        out.print("  ".join(line), markup=False, soft_wrap=True)
