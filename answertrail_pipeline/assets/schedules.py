"""Scheduled re-evaluation: the chosen arms over the newest gold and the corpus of today."""

from collections.abc import Iterator

import dagster as dg

from answertrail_pipeline.assets.jobs import evaluate
from answertrail_pipeline.assets.partitions import RUNS
from answertrail_pipeline.assets.resources import ProjectResource
from answertrail_pipeline.pipeline.evaluation import due_runs


def reevaluation(cron: str) -> dg.ScheduleDefinition:
    """Return the schedule; it is stopped until somebody starts it in the UI, because runs may spend money."""

    @dg.schedule(
        name="reevaluate",
        cron_schedule=cron,
        job=evaluate,
        execution_timezone="UTC",
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description="New run partitions of the chosen arms over the newest gold and the corpus of today.",
    )
    def reevaluate(context: dg.ScheduleEvaluationContext, project: ProjectResource) -> Iterator[dg.RunRequest]:
        with project.open() as opened:
            runs = due_runs(opened)
        if runs:
            context.instance.add_dynamic_partitions(RUNS.name or "", [run.run_key for run in runs])
        for run in runs:
            yield dg.RunRequest(run_key=run.run_key, partition_key=run.run_key)

    return reevaluate
