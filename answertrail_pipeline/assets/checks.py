"""Asset checks: the SQL rules of `store/checks.py`, shown where people look for them.

They report; what blocks is in our own tables (a unit whose blocking gate failed is `blocked`), because a check of
a batch run has no partition (docs/dagster.md).
"""

from collections.abc import Iterable, Iterator

import dagster as dg

from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.store.checks import CHECKS, CheckOutcome, run_check


def check_specs(*stages: str) -> list[dg.AssetCheckSpec]:
    """Return the specifications of the checks on these assets."""
    return [
        dg.AssetCheckSpec(check.name, asset=check.stage, description=check.description)
        for check in CHECKS
        if check.stage in stages
    ]


def check_results(project: Project, selected: Iterable[dg.AssetCheckKey]) -> Iterator[dg.AssetCheckResult]:
    """Run the selected checks and yield their results."""
    names = {key.name for key in selected}
    with project.database.begin() as connection:
        outcomes = [run_check(connection, check) for check in CHECKS if check.name in names]
    for outcome in outcomes:
        yield dg.AssetCheckResult(
            asset_key=outcome.check.stage,
            check_name=outcome.check.name,
            passed=outcome.passed,
            severity=_severity(outcome),
            description=outcome.check.description,
            metadata=_metadata(outcome),
        )


def report_checks(instance: dg.DagsterInstance, outcomes: Iterable[CheckOutcome]) -> None:
    """Tell a Dagster instance of checks that ran outside of its runs."""
    for outcome in outcomes:
        instance.report_runless_asset_event(
            dg.AssetCheckEvaluation(
                asset_key=dg.AssetKey(outcome.check.stage),
                check_name=outcome.check.name,
                passed=outcome.passed,
                severity=_severity(outcome),
                description=outcome.check.description,
                metadata=_metadata(outcome),
            )
        )


def _severity(outcome: CheckOutcome) -> dg.AssetCheckSeverity:
    return dg.AssetCheckSeverity.ERROR if outcome.check.blocking else dg.AssetCheckSeverity.WARN


def _metadata(outcome: CheckOutcome) -> dict[str, int | str]:
    return {"violations": outcome.violations, "examples": "\n".join(outcome.examples) or "none"}
