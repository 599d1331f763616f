"""Asset checks: the checks of `pipeline/check_rules.py`, shown where people look for them.

What waits for a blocking one is decided there and kept in our tables, because a check of a batch run has no
partition (docs/dagster.md). Here a failed blocking check also fails its run.
"""

from collections.abc import Iterable, Iterator

import dagster as dg

from answertrail_pipeline.pipeline.check_rules import CHECKS, Scope
from answertrail_pipeline.pipeline.checks import all_checks, checks_of, run_check
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.store.checks import CheckOutcome
from answertrail_pipeline.store.keys import split_key


def check_specs(*stages: str) -> list[dg.AssetCheckSpec]:
    """Return the specifications of the checks on these assets."""
    return [
        dg.AssetCheckSpec(
            check.name,
            asset=check.stage,
            description=check.description,
            blocking=check.blocking or check.fails_run,
        )
        for check in checks_of(*stages)
    ]


def check_results(
    project: Project, selected: Iterable[dg.AssetCheckKey], run_key: str | None = None
) -> Iterator[dg.AssetCheckResult]:
    """Run the selected checks over all channels, or over one run, and yield their results."""
    names = {key.name for key in selected}
    channels = [split_key(run_key)[0]] if run_key else sorted(project.settings.channels)
    for check in CHECKS:
        if check.name in names:
            with project.database.begin() as connection:
                outcomes = [run_check(connection, check, Scope(project, each, run_key)) for each in channels]
            yield dg.AssetCheckResult(
                asset_key=check.stage,
                check_name=check.name,
                passed=all(outcome.passed for outcome in outcomes),
                severity=_severity(outcomes),
                description=check.description,
                metadata=_metadata(outcomes),
            )


def report_checks(instance: dg.DagsterInstance, project: Project) -> None:
    """Tell a Dagster instance how all checks stand now."""
    by_name: dict[str, list[CheckOutcome]] = {}
    for channel in sorted(project.settings.channels):
        for outcome in all_checks(project, channel):
            by_name.setdefault(outcome.name, []).append(outcome)
    for name, outcomes in by_name.items():
        instance.report_runless_asset_event(
            dg.AssetCheckEvaluation(
                asset_key=dg.AssetKey(outcomes[0].stage),
                check_name=name,
                passed=all(outcome.passed for outcome in outcomes),
                severity=_severity(outcomes),
                description=outcomes[0].description,
                metadata=_metadata(outcomes),
            )
        )


def _severity(outcomes: Iterable[CheckOutcome]) -> dg.AssetCheckSeverity:
    """Return the gravest severity of those that failed, else of the rule."""
    found = list(outcomes)
    grave = {outcome.severity for outcome in found if not outcome.passed} or {one.severity for one in found}
    return dg.AssetCheckSeverity.ERROR if "error" in grave else dg.AssetCheckSeverity.WARN


def _metadata(outcomes: Iterable[CheckOutcome]) -> dict[str, int | float | str]:
    """Return the numbers: over all channels, and the limits by name."""
    found = list(outcomes)
    examples = [example for outcome in found for example in outcome.examples]
    limits = {
        name: value if isinstance(value, int | float) else str(value)
        for outcome in found
        for name, value in outcome.numbers.items()
        if name != "of"
    }
    return {
        "violations": sum(outcome.violations for outcome in found),
        "of": sum(outcome.numbers["of"] for outcome in found),
        **limits,
        "examples": "\n".join(examples) or "none",
    }
