"""Sensors: they add partitions, report data versions, ask for what decisions made due, and tell of failures."""

from collections.abc import Iterator

import dagster as dg
from dagster_shared.error import SerializableErrorInfo
from sqlalchemy import text

from answertrail_pipeline.assets.outbox import report_finished
from answertrail_pipeline.assets.resources import ProjectResource
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.models.quiet import redact
from answertrail_pipeline.pipeline.notify import notify
from answertrail_pipeline.pipeline.plan import refuse_to_spend
from answertrail_pipeline.pipeline.stages import channel_stage, list_and_retire
from answertrail_pipeline.store.stage_run import due


@dg.sensor(
    name="new_uploads",
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Lists every channel's source and reports new and changed videos; the same input reports nothing.",
    target=["chunks", "embeddings", "claims"],
)
def new_uploads(context: dg.SensorEvaluationContext, project: ProjectResource) -> dg.SkipReason:
    """Report new and changed videos of every channel."""
    problems = []
    with project.open() as opened:
        for channel in sorted(opened.settings.channels):
            try:
                opened.run(list_and_retire(opened, channel))
            except UserError as error:  # one channel's source must not hide the others' uploads
                problems.append(f"{channel}: {error}")
        reported = report_finished(context.instance, opened)
    return dg.SkipReason("; ".join([f"{reported} events reported", *problems]))


@dg.sensor(
    name="adjudications",
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="After people's decisions, has the nuggets of kept questions proposed, within the budget. "
    "Nothing is ever frozen by itself: a person does that.",
    target=["nuggets"],
)
def adjudications(_context: dg.SensorEvaluationContext, project: ProjectResource) -> dg.RunRequest | dg.SkipReason:
    """Ask for nuggets where decisions made some due, once a decision."""
    with project.open() as opened:
        stages = [channel_stage(opened, "nuggets", channel) for channel in sorted(opened.settings.channels)]
        waiting = sum(len(due(opened.database, stage)[0]) for stage in stages)
        if not waiting:
            return dg.SkipReason("No kept question waits for nuggets.")
        try:
            refuse_to_spend(opened)
        except UserError as error:
            return dg.SkipReason(f"{waiting} kept questions wait for nuggets. {error}")
        with opened.database.begin() as connection:
            last = connection.execute(text("select max(adjudication_id) from adjudications")).scalar()
    return dg.RunRequest(run_key=f"nuggets after decision {last}")


conditions = dg.AutomationConditionSensorDefinition(
    "conditions",
    target=dg.AssetSelection.all(),
    default_status=dg.DefaultSensorStatus.RUNNING,
    minimum_interval_seconds=30,
    description="Launches what the assets' conditions ask for: content that changed, never time that passed.",
)


@dg.run_failure_sensor(
    name="run_failures",
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Tells the webhook of [notify] of every failed run: the job, its partition, and what failed.",
)
def run_failures(context: dg.RunFailureSensorContext, project: ProjectResource) -> None:
    """Tell people of a failed run."""
    run = context.dagster_run
    partition = run.tags.get("dagster/partition")
    title = f"{run.job_name} failed" + (f" on {partition}" if partition else "")
    with project.open() as opened:
        notify(opened.settings.notify, title, [redact(line) for line in _reasons(context)])


def _cause(error: SerializableErrorInfo | None) -> str | None:
    """Return what was raised first: Dagster wraps it in words of its own."""
    while error and error.cause:
        error = error.cause
    return error.message if error else None


def _reasons(context: dg.RunFailureSensorContext) -> Iterator[str]:
    """Yield what failed: each step's error with the units that it names, else the run's own."""
    failures = context.get_step_failure_events()
    for event in failures:
        data = event.step_failure_data
        said = data.user_failure_data.description if data.user_failure_data else None
        yield f"{event.step_key}: {said or _cause(data.error) or event.message}"
        named = data.user_failure_data.metadata if data.user_failure_data else {}
        for unit, reason in named.items():
            yield f"{unit}: {reason.value}"
    if not failures:
        yield context.failure_event.message or "no reason is known"
    yield f"run {context.dagster_run.run_id}"
