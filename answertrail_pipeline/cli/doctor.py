"""`answertrail doctor`: what is wrong, and the command that mends it."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.run import Json
from answertrail_pipeline.cli.terminal import out, print_json
from answertrail_pipeline.errors import UserError

if TYPE_CHECKING:
    from answertrail_pipeline.pipeline.doctor import Finding

COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


@app.command()
def doctor(as_json: Json = False) -> None:
    """Examine the installation without changing it; exit with 1 if something fails, 0 otherwise."""
    from answertrail_pipeline.pipeline.doctor import Health, worst

    findings = []
    for finding in _examine():
        findings.append(finding)
        if not as_json:
            _print(finding)
    if as_json:
        print_json({"health": worst(findings), "findings": [vars(finding) for finding in findings]})
    if worst(findings) is Health.FAIL:
        sys.exit(1)


def _examine() -> "Iterator[Finding]":
    from answertrail_pipeline.pipeline.doctor import examine_database, examine_settings, failure
    from answertrail_pipeline.settings import find_config, load_settings
    from answertrail_pipeline.store.database import reach_database

    try:
        settings = load_settings(find_config())
    except UserError as error:
        yield failure("configuration", error)
        return
    yield from examine_settings(settings)
    try:
        with reach_database(settings) as database:
            from answertrail_pipeline.assets.health import examine_dagster

            yield from examine_database(settings, database)
            yield from examine_dagster(settings, database)
    except UserError as error:
        yield failure("database", error)


def _print(finding: "Finding") -> None:
    out.print(f"[{COLOURS[finding.health]}]{finding.health:<4}[/]  {finding.name:<17} ", end="")
    out.print(finding.says, markup=False, soft_wrap=True)
    if finding.mend:
        out.print(f"      {'':<17} -> {finding.mend}", markup=False, soft_wrap=True)
