"""`answertrail workbench`: the web pages where people decide, label, ask and read."""

from typing import Annotated

import typer

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.terminal import out


@app.command()
def workbench(
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.")] = 3001,
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 only inside a container.")
    ] = "127.0.0.1",
) -> None:
    """Start the pages where people adjudicate, label blind, ask and read trails; Ctrl-C stops them."""
    from answertrail_pipeline.pipeline.project import open_project
    from answertrail_pipeline.workbench.serve import serve

    with open_project() as project:
        show = "Workbench    {}\nCtrl-C stops."
        serve(project, port, lambda link: out.print(show.format(link), soft_wrap=True), host)
