"""Assets by run: agent_runs, assertions, verdicts, metrics. A run is (arm, gold version, corpus, repetition)."""

from collections.abc import Iterator

import dagster as dg

from answertrail_pipeline.assets.checks import check_specs
from answertrail_pipeline.assets.describe import spec
from answertrail_pipeline.assets.partitions import RUNS
from answertrail_pipeline.assets.progress import in_log
from answertrail_pipeline.assets.resources import ProjectResource
from answertrail_pipeline.assets.result import result
from answertrail_pipeline.pipeline.stages import RUN_STAGES, bring_up_run


def run_asset(name: str) -> dg.AssetsDefinition:
    """Return the asset of a run stage. It never launches itself: a run is asked for, or scheduled."""

    @dg.multi_asset(
        name=name,
        specs=[spec(name)],
        check_specs=check_specs(name),
        partitions_def=RUNS,
        pool="models",
    )
    def step(context: dg.AssetExecutionContext, project: ProjectResource) -> Iterator[dg.MaterializeResult[None]]:
        with project.open() as opened:
            failures = opened.run(bring_up_run(opened, name, context.partition_key, in_log(context.log, name)))
            yield result(context, opened, name, context.partition_key, failures)

    return step


RUN_ASSETS = [run_asset(name) for name in RUN_STAGES]
