"""How a step's end is told to Dagster: one result with data version, counts and checks, or a failure."""

from collections.abc import Mapping

import dagster as dg

from answertrail_pipeline.assets.checks import check_results
from answertrail_pipeline.assets.outbox import materialization
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.store.reported import finished, finished_of_run, mark_reported


def result(
    context: dg.AssetExecutionContext,
    project: Project,
    stage: str,
    run_key: str | None,
    failures: Mapping[str, str],
) -> dg.MaterializeResult[None]:
    """Return the result of a finished stage of all channels, or of one run.

    Raises:
        dagster.Failure: some units failed; what succeeded is kept and a retry does only the rest.
    """
    fail_if_any(failures)
    with project.database.begin() as connection:
        units = finished_of_run(connection, stage, run_key) if run_key else finished(connection, [stage])
        mark_reported(connection, units)
        event = materialization(project, connection, stage, run_key, units)
    return dg.MaterializeResult(
        metadata=event.metadata,
        data_version=dg.DataVersion((event.tags or {})["dagster/data_version"]),
        check_results=list(check_results(project, context.selected_asset_check_keys, run_key)),
    )


def fail_if_any(failures: Mapping[str, str]) -> None:
    """Raise `dagster.Failure` that names the failed units, if there are any."""
    if failures:
        named = dict(sorted(failures.items())[:20])
        raise dg.Failure(f"{len(failures)} units failed; the others are kept", metadata=named)
