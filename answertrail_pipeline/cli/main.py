"""The entry point: commands, exit codes, and errors in one line instead of a traceback.

Exit codes: 0 done; 1 some units failed or a blocking check stopped a stage; 2 something that the person can mend;
3 a regression gate failed; 4 a gate is undecided; 130 stopped by Ctrl-C (docs/logs.md).
"""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from answertrail_pipeline.cli.logs import set_up_logs
from answertrail_pipeline.errors import UnitError, UserError

app = typer.Typer(
    name="answertrail",
    help="Measures a deep-research agent over a bounded, dated corpus and says how far the score can be trusted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


@app.callback()
def options(
    config: Annotated[
        Path | None,
        typer.Option(help="The configuration file; found here or in a parent folder where not given."),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log each unit of work.")] = False,
    log_json: Annotated[
        bool, typer.Option("--log-json", help="Write the log as JSON, one object a line, on standard error.")
    ] = False,
) -> None:
    """Read the options that all commands share."""
    if config:
        os.environ["ANSWERTRAIL_CONFIG"] = str(config.absolute())
    set_up_logs(verbose=verbose, as_json=log_json)


def main() -> None:
    """Run the command line."""
    from sqlalchemy.exc import DBAPIError

    from answertrail_pipeline.cli import commands  # noqa: F401  # registers the commands on `app`
    from answertrail_pipeline.models.quiet import set_quiet_environment
    from answertrail_pipeline.store.database import DatabaseLostError, is_lost

    set_quiet_environment()
    os.environ["DAGSTER_DISABLE_TELEMETRY"] = "1"
    try:
        app()
    except (UserError, UnitError) as error:
        print(f"answertrail: {error}", file=sys.stderr)  # noqa: T201
        sys.exit(2)
    except DBAPIError as error:  # Dagster's storage, which has a driver of its own
        if not is_lost(error):
            raise
        print(f"answertrail: {DatabaseLostError(str(error.orig))}", file=sys.stderr)  # noqa: T201
        sys.exit(2)
    except KeyboardInterrupt:
        print("answertrail: stopped. What was finished is kept; run it again to go on.", file=sys.stderr)  # noqa: T201
        sys.exit(130)
