"""Dagster over a workplace, with the daemon's work done by hand."""

from typing import Any

import dagster as dg

from answertrail_pipeline.assets.resources import ProjectResource
from answertrail_pipeline.assets.sensors import new_uploads
from answertrail_pipeline.definitions import build_defs
from answertrail_pipeline.pipeline.lineage import DEPENDS_ON
from answertrail_pipeline_tests.e2e.conftest import Workplace


class Orchestra:
    """An ephemeral Dagster instance over a workplace, with the daemon's work done by hand."""

    def __init__(self, workplace: Workplace, instance: dg.DagsterInstance) -> None:
        self.workplace = workplace
        self.instance = instance
        self.project = ProjectResource(config=str(workplace.root / "answertrail.toml"))
        self.definitions = build_defs(project=self.project)
        # Resolved while this instance is Dagster's current one: later that may be one that has ended already.
        self.definitions.get_repository_def()
        self._cursor: Any = None

    def sense(self) -> str:
        """Evaluate the sensor for new uploads; return what it says."""
        context = dg.build_sensor_context(
            instance=self.instance, resources={"project": self.project}, definitions=self.definitions
        )
        return str(new_uploads(context).skip_message)

    def tick(self) -> dict[str, set[str]]:
        """Evaluate the automation conditions once; return the requested partitions by asset."""
        result = dg.evaluate_automation_conditions(
            defs=self.definitions, instance=self.instance, cursor=self._cursor
        )
        self._cursor = result.cursor
        requested = {}
        for name in DEPENDS_ON:
            subset = result.get_requested_partitions(dg.AssetKey(name))
            if subset:
                requested[name] = {partition or "" for partition in subset}
        return requested

    def materialize(self, *assets: str, partitions: list[str] | None = None) -> dg.ExecuteInProcessResult:
        """Run assets as the daemon would, over a range of partitions."""
        tags = {}
        if partitions:
            tags = {
                "dagster/asset_partition_range_start": partitions[0],
                "dagster/asset_partition_range_end": partitions[-1],
            }
        job = self.definitions.resolve_implicit_global_asset_job_def()
        return job.execute_in_process(
            instance=self.instance, asset_selection=[dg.AssetKey(name) for name in assets], tags=tags
        )
