"""Sensors. They add partitions and report data versions; automation conditions launch what follows."""

import dagster as dg

from answertrail_pipeline.assets.outbox import report_finished
from answertrail_pipeline.assets.resources import ProjectResource
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.pipeline.stages import list_and_retire


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
        reported = report_finished(context.instance, opened.database)
    return dg.SkipReason("; ".join([f"{reported} events reported", *problems]))


conditions = dg.AutomationConditionSensorDefinition(
    "conditions",
    target=dg.AssetSelection.all(),
    default_status=dg.DefaultSensorStatus.RUNNING,
    minimum_interval_seconds=30,
    description="Launches what the assets' conditions ask for: content that changed, never time that passed.",
)
