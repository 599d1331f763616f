"""`answertrail gold ...`: the answer key, outside of the workbench."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.terminal import out, table

gold = typer.Typer(help="The answer key: proposals, decisions, frozen versions.", no_args_is_help=True)
app.add_typer(gold, name="gold")

OneChannel = Annotated[str, typer.Option("--channel", help="Which channel; needed only where there are several.")]


@gold.command("list")
def list_versions(channel: OneChannel = "") -> None:
    """List the frozen versions, and what waits for a person."""
    from answertrail_pipeline.gold.adjudication import waiting
    from answertrail_pipeline.pipeline.chosen import chosen_channels
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.scoring.source import DatabaseSource

    with open_project() as project:
        shown = table("channel", "version", "as of", "questions", "nuggets", "decided by")
        for name in chosen_channels(project, channel):
            source = DatabaseSource(project.database, name, project.settings)
            for version in map(source.gold, source.gold_versions()):
                nuggets = sum(len(question.nuggets) for question in version.questions)
                who = "policy auto" if version.policy == "auto" else ", ".join(version.reviewers) or "people"
                counts = (str(len(version.questions)), str(nuggets))
                shown.add_row(name, version.gold_version, str(version.as_of), *counts, who)
            left = ", ".join(f"{n} {kind}" for kind, n in waiting(project.database, name).items() if n)
            if left:
                out.print(f"{name}: waiting for a person: {left}")
        out.print(shown)


@gold.command("export-proposals")
def export_proposals(
    path: Annotated[Path, typer.Argument(help="A .csv or .md file to write.")],
    channel: OneChannel = "",
    everything: Annotated[bool, typer.Option("--all", help="Also what is decided already.")] = False,
) -> None:
    """Write the proposals to a file in which decisions can be written."""
    from answertrail_pipeline.gold.trade import export_proposals as export
    from answertrail_pipeline.pipeline.chosen import one_channel
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        count = export(project.database, one_channel(project, channel), path, everything=everything)
    out.print(f"Wrote {count} items to {path}. Decide in it, then `answertrail gold import-decisions {path}`.")


@gold.command("import-decisions")
def import_decisions(
    path: Annotated[Path, typer.Argument(help="The edited file.")],
    reviewer: Annotated[str, typer.Option(help="Who decided.")],
    channel: OneChannel = "",
) -> None:
    """Take decisions from an edited file: all of them, or none with the reasons line by line."""
    from answertrail_pipeline.gold.trade import import_decisions as take
    from answertrail_pipeline.pipeline.chosen import one_channel
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        count = take(project.database, one_channel(project, channel), path, reviewer)
    out.print(f"Took {count} decisions of {reviewer}.")


@gold.command()
def freeze(
    name: Annotated[
        str, typer.Argument(help="Name of the version; the next of v1, v2, ... where not given.")
    ] = "",
    channel: OneChannel = "",
) -> None:
    """Freeze what was kept as a numbered version that is never changed."""
    from answertrail_pipeline.gold.versions import freeze as freeze_gold
    from answertrail_pipeline.pipeline.chosen import one_channel
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        version = freeze_gold(project.database, one_channel(project, channel), name or None)
    out.print(f"Gold {version.gold_version}: {len(version.questions)} questions as of {version.as_of}.")


@gold.command("export")
def export_version(
    path: Annotated[Path, typer.Argument(help="A .json file to write; it can be committed.")],
    version: Annotated[str, typer.Option("--gold", help="Which version; the newest where not given.")] = "",
    channel: OneChannel = "",
) -> None:
    """Write a frozen version to a file."""
    from answertrail_pipeline.errors import UserError
    from answertrail_pipeline.gold.files import export_gold
    from answertrail_pipeline.gold.versions import load_gold
    from answertrail_pipeline.pipeline.chosen import one_channel
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        name = one_channel(project, channel)
        found = load_gold(project.database, name, version or None)
        if found is None:
            raise UserError(f"No gold of {name} is frozen.", "Freeze one with `answertrail gold freeze`.")
        export_gold(found, path)
    out.print(f"Wrote gold {found.gold_version} to {path}.")


@gold.command("import")
def import_version(
    path: Annotated[Path, typer.Argument(help=".json (our own), .jsonl (nuggetizer) or .csv.")],
    name: Annotated[str, typer.Option(help="Name of the version.")] = "",
    as_of: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="The day up to which it holds.")
    ] = None,
    channel: OneChannel = "",
) -> None:
    """Freeze the gold of a file, so that somebody with a question list starts at the runs."""
    from answertrail_pipeline.gold.files import import_gold
    from answertrail_pipeline.pipeline.chosen import one_channel
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        day = as_of.date() if as_of else None
        made = import_gold(project.database, one_channel(project, channel), path, name or None, day)
    out.print(f"Gold {made.gold.gold_version}: {len(made.gold.questions)} questions.")
    if made.partial:
        out.print(
            f"{len(made.partial)} nuggets say partial_support, which counts as a MISS: {', '.join(made.partial)}"
        )


@gold.command()
def diff(
    before: Annotated[str, typer.Argument(help="A version.")],
    after: Annotated[str, typer.Argument(help="A later one.")],
    channel: OneChannel = "",
) -> None:
    """Show what a version has that another has not."""
    from answertrail_pipeline.gold.versions import diff_gold, load_gold
    from answertrail_pipeline.pipeline.chosen import one_channel
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        name = one_channel(project, channel)
        first, second = load_gold(project.database, name, before), load_gold(project.database, name, after)
    if first is None or second is None or (found := diff_gold(first, second)).is_empty:
        out.print("No difference.")
        return
    for sign, keys in (("+", found.added), ("-", found.removed), ("~", found.changed)):
        for key in keys:
            out.print(f"{sign} {key}")


@gold.command()
def sample(
    name: Annotated[str, typer.Argument(help="Name of the new draw.")],
    channel: OneChannel = "",
) -> None:
    """Draw the videos of the factual questions anew; uploads alone never do that."""
    from answertrail_pipeline.gold.sample import new_sample
    from answertrail_pipeline.pipeline.chosen import one_channel
    from answertrail_pipeline.pipeline.project import open_project

    with open_project() as project:
        new_sample(project.database, one_channel(project, channel), name, project.settings.gold)
    out.print(f"Draw {name} is made. `answertrail run` proposes its questions.")
