"""The one object that Dagster loads. It only assembles."""

from typing import Any

import dagster as dg

from answertrail_pipeline.assets import channel_assets, jobs, run_assets, sensors, video_assets
from answertrail_pipeline.assets.resources import ProjectResource
from answertrail_pipeline.assets.schedules import reevaluation
from answertrail_pipeline.models.quiet import set_quiet_environment
from answertrail_pipeline.settings import ScheduleSettings


def build_defs(*, schedule: ScheduleSettings | None = None, **resources: Any) -> dg.Definitions:
    """Assemble the definitions.

    Args:
        schedule: when to re-evaluate.
        resources: replace resources by name, for tests.
    """
    set_quiet_environment()
    return dg.Definitions(
        assets=[
            video_assets.videos,
            video_assets.video_assets,
            *channel_assets.CHANNEL_ASSETS,
            *run_assets.RUN_ASSETS,
        ],
        jobs=[jobs.ingest, jobs.gold, jobs.evaluate, jobs.rescore],
        sensors=[sensors.new_uploads, sensors.adjudications, sensors.conditions, sensors.run_failures],
        schedules=[reevaluation((schedule or ScheduleSettings()).cron)],
        resources={"project": ProjectResource()} | resources,
        executor=dg.in_process_executor,  # a process a step would import everything again: 3 s each
    )


@dg.definitions
def defs() -> dg.Definitions:
    """Load the definitions with the schedule of the project's configuration, where there is one."""
    from answertrail_pipeline.errors import UserError
    from answertrail_pipeline.settings import find_config, load_settings

    try:
        settings = load_settings(find_config())
    except UserError:
        return build_defs()  # `dagster definitions validate` in a checkout has no project
    return build_defs(schedule=settings.schedule)
