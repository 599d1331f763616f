"""`answertrail export`, `rescore`, `gate`: numbers for third parties, machines and people."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.terminal import out
from answertrail_pipeline.errors import UserError


@app.command()
def export(
    folder: Annotated[
        Path | None, typer.Argument(help="Where nuggets, assignments, TREC runs and qrels are written.")
    ] = None,
    bundle: Annotated[
        Path | None, typer.Option(help="Write all that a third party needs to re-score, as one zip file.")
    ] = None,
    channel: Annotated[str, typer.Option(help="Which channel; needed only where there are several.")] = "",
    gold: Annotated[
        str, typer.Option("--gold", help="Which gold version; the newest with runs where absent.")
    ] = "",
) -> None:
    """Write the scored runs in the field's formats."""
    from answertrail_pipeline.pipeline.chosen import one_channel
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.reporting.bundle import export_bundle
    from answertrail_pipeline.reporting.exports import export_files

    if folder is None and bundle is None:
        raise UserError("Nothing to write.", "Name a folder, `--bundle FILE.zip`, or both.")
    wrote = []
    with open_project() as project:
        name = one_channel(project, channel)
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            files = export_files(project.database, name, project.settings, folder, gold or None)
            wrote.append(f"{len(files)} files to {folder}")
        if bundle:
            export_bundle(project.database, name, project.settings, bundle, gold or None)
            wrote.append(str(bundle))
    out.print(f"Wrote {' and '.join(wrote)}.")


@app.command()
def rescore(
    bundle: Annotated[Path, typer.Argument(help="A bundle that `answertrail export --bundle` wrote.")],
) -> None:
    """Make a bundle's scoreboard again, without model, database or configuration; exit with 1 if it differs."""
    from answertrail_pipeline.reporting.bundle import rescore as again
    from answertrail_pipeline.reporting.terminal import print_scoreboard

    made = again(bundle)
    print_scoreboard(made.board, out)
    out.print("The same scoreboard, byte for byte." if made.same else "[red]Not the scoreboard in the bundle.[/]")
    if not made.same:
        sys.exit(1)


@app.command()
def gate(
    baseline: Annotated[
        str, typer.Option(help="The arm to hold against, or an earlier bundle or scoreboard.json.")
    ],
    arm: Annotated[str, typer.Option(help="The arm under test.")],
    margin: Annotated[
        float, typer.Option(min=0, help="The drop that is borne, as a share: 0.03 is 3 points.")
    ] = 0.03,
    noninferior: Annotated[
        bool, typer.Option("--noninferior", help="Fail unless a drop beyond the margin is excluded.")
    ] = False,
    channel: Annotated[str, typer.Option(help="Which channel; needed only where there are several.")] = "",
) -> None:
    """Fail if an arm is worse than another by more than a margin. Exit: 0 passed, 3 failed, 4 undecided."""
    from answertrail_pipeline.pipeline.chosen import one_channel
    from answertrail_pipeline.pipeline.gating import gate_arm
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.scoring.gate import GateExit

    with open_project() as project:
        results = gate_arm(project, one_channel(project, channel), arm, baseline, margin, noninferior=noninferior)
    for result in results:
        out.print(result.sentence)
    exits = {result.exit for result in results}
    worst = [code for code in (GateExit.FAILED, GateExit.UNDECIDED) if code in exits]
    sys.exit(int(worst[0] if worst else GateExit.PASSED if exits else GateExit.UNDECIDED))
