"""Scheduled re-evaluation: the chosen arms over the newest gold and the corpus of today."""

import logging

import dagster as dg

from answertrail_pipeline.assets.jobs import evaluate
from answertrail_pipeline.assets.partitions import RUNS
from answertrail_pipeline.assets.resources import ProjectResource
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.pipeline.plan import refuse_to_spend
from answertrail_pipeline.pipeline.reevaluation import due_reevaluation

log = logging.getLogger(__name__)


def reevaluation(cron: str) -> dg.ScheduleDefinition:
    """Return the schedule; it is stopped until somebody starts it in the UI, because runs may spend money."""

    @dg.schedule(
        name="reevaluate",
        cron_schedule=cron,
        job=evaluate,
        execution_timezone="UTC",
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description="New run partitions of the chosen arms over the newest gold: the corpus cut at its date, and "
        "the corpus of today. What comes out is added to `series`, whose gate holds it against the last.",
    )
    def reevaluate(
        context: dg.ScheduleEvaluationContext, project: ProjectResource
    ) -> list[dg.RunRequest] | dg.SkipReason:
        problems: list[str] = []
        requests: list[dg.RunRequest] = []
        with project.open() as opened:
            try:
                refuse_to_spend(opened)
            except UserError as error:
                return dg.SkipReason(str(error))
            for channel in sorted(opened.settings.channels):
                try:
                    due = opened.run(due_reevaluation(opened, channel))
                except UserError as error:  # one channel without gold must not hide the others
                    problems.append(f"{channel}: {error}")
                    continue
                context.instance.add_dynamic_partitions(RUNS.name or "", [run.run_key for run in due.runs])
                number = due.reevaluation.number
                requests += [
                    dg.RunRequest(run_key=f"{run.run_key}#{number}", partition_key=run.run_key) for run in due.runs
                ]
        for problem in problems:
            log.warning(problem)
        return requests or dg.SkipReason("; ".join(problems) or "No channel.")

    return reevaluate
