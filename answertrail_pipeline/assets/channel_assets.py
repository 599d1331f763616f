"""Unpartitioned assets, each over all channels: what is made of a whole channel, and the scores."""

from collections.abc import Iterator

import dagster as dg

from answertrail_pipeline.assets.automation import on_changed_channel
from answertrail_pipeline.assets.checks import check_specs
from answertrail_pipeline.assets.describe import spec
from answertrail_pipeline.assets.progress import in_log
from answertrail_pipeline.assets.resources import ProjectResource
from answertrail_pipeline.assets.result import result
from answertrail_pipeline.pipeline.stages import CHANNEL_STAGES, SCORE_STAGES, bring_up_channels


def channel_asset(name: str, *, launches_itself: bool) -> dg.AssetsDefinition:
    """Return the asset of a stage whose units belong to channels.

    Args:
        launches_itself: whether a changed input launches it; questions and nuggets wait for a person.
    """

    @dg.multi_asset(
        name=name,
        specs=[spec(name, automation=on_changed_channel() if launches_itself else None)],
        check_specs=check_specs(name),
    )
    def step(context: dg.AssetExecutionContext, project: ProjectResource) -> Iterator[dg.MaterializeResult[None]]:
        with project.open() as opened:
            failures = opened.run(bring_up_channels(opened, name, in_log(context.log, name)))
            yield result(context, opened, name, None, failures)

    return step


CHANNEL_ASSETS = [
    channel_asset(name, launches_itself=name not in ("questions", "nuggets"))
    for name in (*CHANNEL_STAGES, *SCORE_STAGES)
]
