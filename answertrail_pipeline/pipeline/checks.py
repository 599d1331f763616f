"""The checks of every stage, run after it; what hangs on a failed blocking one is not computed, whoever asks.

The command line and the Dagster assets share them: `assets/checks.py` only shows the outcomes.
"""

from collections.abc import Iterator

from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.pipeline.check_rules import CHECKS, Check, Scope, statement
from answertrail_pipeline.pipeline.lineage import upstream
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.store.checks import CheckOutcome, stopping, store_outcome
from answertrail_pipeline.store.shipped import read_sql

EXAMPLES = 5


class GateFailedError(UserError):
    """A blocking check failed upstream, so a stage was not computed."""


def run_check(connection: Connection, check: Check, scope: Scope) -> CheckOutcome:
    """Run one check over a channel or a run; nothing is stored."""
    found = (check.find or statement(check.name))(connection, scope)
    counts = connection.execute(
        text(read_sql("checks/of.sql")), {"channel": scope.channel, "run_key": scope.run_key, "of": check.of}
    ).scalar()
    of = int(counts or 0)
    tolerated = check.tolerated(scope) if check.tolerated else 0.0
    few = check.tolerated is not None and len(found) <= tolerated * of
    return CheckOutcome(
        channel=scope.channel,
        run_key=scope.run_key or "",
        name=check.name,
        stage=check.stage,
        description=check.description,
        severity="warn" if few else check.severity,
        blocking=check.blocking,
        violations=len(found),
        examples=tuple(f"{one.unit}: {one.problem}" for one in found[:EXAMPLES]),
        numbers={"of": of, **check.limits(scope)},
    )


def all_checks(project: Project, channel: str) -> list[CheckOutcome]:
    """Run every check over a whole channel, all its runs together, as things stand now."""
    with project.database.begin() as connection:
        return [run_check(connection, check, Scope(project, channel)) for check in CHECKS]


def check_stage(project: Project, channel: str, stage: str, run_key: str = "") -> list[CheckOutcome]:
    """Run the checks of a stage that was just brought up to date, and keep their outcomes.

    Args:
        run_key: of the run, for a stage of runs.
    """
    outcomes = []
    with project.database.begin() as connection:
        for check in CHECKS:
            if check.stage == stage:
                scope = Scope(project, channel, run_key if check.per_run and run_key else None)
                outcome = run_check(connection, check, scope)
                store_outcome(connection, outcome)
                outcomes.append(outcome)
    return outcomes


def refuse_behind_failed_gates(project: Project, channel: str, stage: str, run_key: str = "") -> None:
    """Refuse to compute a stage while a blocking check of what it is made from fails.

    Raises:
        GateFailedError: names the checks and what violates them.
    """
    with project.database.begin() as connection:
        failed = stopping(connection, channel, run_key, upstream(stage))
    if failed:
        raise GateFailedError(
            f"{stage} of {run_key or channel} waits for {'; '.join(failed)}.",
            "Mend that, then run again; `answertrail status` shows all checks.",
        )


def checks_of(*stages: str) -> Iterator[Check]:
    """Yield the checks of some stages."""
    yield from (check for check in CHECKS if check.stage in stages)
