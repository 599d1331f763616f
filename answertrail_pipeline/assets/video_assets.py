"""Assets by video: chunks, embeddings, claims.

One step does all three for a whole batch of partitions, because a process per video costs 3 s (docs/dagster.md).
Each partition gets an event with its own data version; a batch run of plain assets would give all of them one.
"""

from collections.abc import Iterator

import dagster as dg

from answertrail_pipeline.assets.automation import on_changed_video
from answertrail_pipeline.assets.checks import check_results, check_specs
from answertrail_pipeline.assets.describe import spec
from answertrail_pipeline.assets.outbox import materialization
from answertrail_pipeline.assets.partitions import VIDEOS
from answertrail_pipeline.assets.progress import in_log
from answertrail_pipeline.assets.resources import ProjectResource
from answertrail_pipeline.assets.result import fail_if_any
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.stages import VIDEO_STAGES, bring_up_videos
from answertrail_pipeline.store.reported import finished, mark_reported

BATCH = 100  # a run costs about 10 s whatever it does (docs/dagster.md)

videos = spec("videos", partitions_def=VIDEOS)


@dg.multi_asset(
    name="videos_to_claims",
    specs=[spec(name, automation=on_changed_video(), skippable=True) for name in VIDEO_STAGES],
    check_specs=check_specs(*VIDEO_STAGES),
    partitions_def=VIDEOS,
    can_subset=True,
    backfill_policy=dg.BackfillPolicy.multi_run(BATCH),
    pool="models",
)
def video_assets(
    context: dg.AssetExecutionContext, project: ProjectResource
) -> Iterator[dg.AssetMaterialization | dg.AssetCheckResult]:
    """Bring a batch of videos up to date, stage by stage."""
    failures: dict[str, str] = {}
    with project.open() as opened:
        for stage in VIDEO_STAGES:
            if dg.AssetKey(stage) in context.selected_asset_keys:
                failures |= opened.run(
                    bring_up_videos(opened, stage, context.partition_keys, in_log(context.log, stage))
                )
                yield from _events(opened, stage, context.partition_keys)
        yield from check_results(opened, context.selected_asset_check_keys)
    fail_if_any(failures)


def _events(project: Project, stage: str, partitions: list[str]) -> Iterator[dg.AssetMaterialization]:
    with project.database.begin() as connection:
        units = finished(connection, [stage], partitions)
        mark_reported(connection, units)
        events = [materialization(project, connection, stage, unit.key, [unit]) for unit in units]
    yield from events
