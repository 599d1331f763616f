"""`answertrail evaluate`, `score`, `report`, `runs`: arms on the gold, and what they scored."""

import sys
from typing import Annotated

import typer

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.run import Channel, Json, Quiet, Yes, refuse_to_spend, show, tell_dagster
from answertrail_pipeline.cli.terminal import ProgressBars, out, print_json, table

Arms = Annotated[
    list[str] | None, typer.Option("--arm", help="An arm by name; repeat for several. All where absent.")
]
Gold = Annotated[str, typer.Option("--gold", help="A frozen gold version; the newest where not given.")]


@app.command()
def evaluate(
    channel: Channel = "",
    arm: Arms = None,
    repetitions: Annotated[
        int | None, typer.Option(min=1, help="Runs of each arm; the configuration's where not given.")
    ] = None,
    gold: Gold = "",
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Open a new epoch: agents are asked again though nothing changed.")
    ] = False,
    yes: Yes = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run arms on the frozen gold over the corpus of today, judge and score them."""
    from answertrail_pipeline.pipeline.chosen import chosen_channels
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.pipeline.run import evaluate_channels

    with open_project() as project, ProgressBars(quiet=quiet or as_json) as watcher:
        refuse_to_spend(project, yes=yes)
        channels = chosen_channels(project, channel)
        wanted = repetitions or project.settings.repetitions
        work = evaluate_channels(project, channels, watcher, arm or (), wanted, gold or None, fresh=fresh)
        reports = project.run(work)
        tell_dagster(project)
    show(reports, as_json=as_json, quiet=quiet)


@app.command()
def reevaluate(channel: Channel = "", yes: Yes = False, as_json: Json = False, quiet: Quiet = False) -> None:
    """Take in new uploads, ask the schedule's arms again, and add to the series. Exit 3: the gate failed.

    Two numbers by name: over the corpus cut at the gold's date, and over the full corpus.
    """
    from answertrail_pipeline.pipeline.chosen import chosen_channels
    from answertrail_pipeline.pipeline.notify import notify
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.pipeline.reevaluation import failures, newest_points
    from answertrail_pipeline.pipeline.run import reevaluate_channels
    from answertrail_pipeline.reporting.stage import report_folder
    from answertrail_pipeline.scoring.gate import GateExit

    with open_project() as project, ProgressBars(quiet=quiet or as_json) as watcher:
        refuse_to_spend(project, yes=yes)
        channels = chosen_channels(project, channel)
        reports = project.run(reevaluate_channels(project, channels, watcher))
        tell_dagster(project)
        points = {name: newest_points(project, name) for name in channels}
        failed = [sentence for found in points.values() for sentence in failures(found)]
        if failed:
            notify(project.settings.notify, "The regression gate failed", failed)
        pages = [report_folder(project.settings, name) / "series.html" for name in channels]
    if as_json:
        print_json({name: [point.model_dump(mode="json") for point in found] for name, found in points.items()})
    elif not quiet:
        for found, page in zip(points.values(), pages, strict=True):
            for sentence in [gate.sentence for point in found for gate in point.gates]:
                out.print(sentence, markup=False)
            out.print(f"The series: {page}", soft_wrap=True)
    show(reports, as_json=False, quiet=quiet or as_json)
    if failed:
        sys.exit(int(GateExit.FAILED))


@app.command()
def score(channel: Channel = "", as_json: Json = False) -> None:
    """Print the scoreboard from stored verdicts. No model is asked."""
    from answertrail_pipeline.pipeline.chosen import chosen_channels
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.reporting.terminal import print_scoreboard
    from answertrail_pipeline.scoring.scoreboard import scoreboard

    with open_project() as project:
        boards = [
            scoreboard(project.database, name, project.settings) for name in chosen_channels(project, channel)
        ]
    if as_json:
        print_json([board.model_dump(mode="json") for board in boards])
        return
    for board in boards:
        print_scoreboard(board, out)


@app.command()
def report(channel: Channel = "", quiet: Quiet = False) -> None:
    """Write the report (HTML, Markdown, CSV, JSON) from stored verdicts, and say where it lies."""
    from answertrail_pipeline.pipeline.chosen import chosen_channels
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.pipeline.run import score_channels
    from answertrail_pipeline.reporting.stage import make_report

    with open_project() as project, ProgressBars(quiet=quiet) as watcher:
        channels = chosen_channels(project, channel)
        project.run(score_channels(project, channels, watcher))
        tell_dagster(project)
        pages = [make_report(project.database, name, project.settings).html for name in channels]
    for page in pages:
        out.print(str(page), soft_wrap=True)


@app.command()
def runs(channel: Channel = "", as_json: Json = False) -> None:
    """List the runs: each an arm on a gold version over a corpus, once."""
    from answertrail_pipeline.agents.runs import list_runs
    from answertrail_pipeline.pipeline.chosen import chosen_channels
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        found = [run for name in chosen_channels(project, channel) for run in list_runs(project.database, name)]
    if as_json:
        print_json([vars(run) for run in found])
        return
    shown = table("run", "arm", "gold", "corpus", "repetition", "epoch")
    for run in found:
        corpus = run.run_key.split("/")[3]
        shown.add_row(run.run_key, run.arm, run.gold_version, corpus, str(run.repetition), str(run.epoch))
    out.print(shown)
