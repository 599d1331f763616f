"""Telling Dagster what was done outside of its runs, so that its next automation tick requests nothing.

The command line and the sensors commit units to our own tables; the events they owe are found by comparing
what is finished with what was told. An event may be told twice after a kill between the two; never lost.
"""

from collections import defaultdict
from collections.abc import Iterable

import dagster as dg
from sqlalchemy import Connection

from answertrail_pipeline.assets.checks import report_checks
from answertrail_pipeline.assets.partitions import RUNS, VIDEOS
from answertrail_pipeline.assets.samples import links, samples
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.pipeline.lineage import DEPENDS_ON
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.stages import CODE_VERSIONS, RUN_STAGES, VIDEO_STAGES
from answertrail_pipeline.store.keys import join_key, split_key
from answertrail_pipeline.store.reported import Finished, finished, mark_reported, unreported

RUN_KEY_PARTS = 5


def partition_of(stage: str, key: str) -> str | None:
    """Return the Dagster partition that a unit belongs to; None for an unpartitioned asset."""
    if stage in VIDEO_STAGES or stage == "videos":
        return key
    return join_key(*split_key(key)[:RUN_KEY_PARTS]) if stage in RUN_STAGES else None


def materialization(
    project: Project, connection: Connection, stage: str, partition: str | None, units: Iterable[Finished]
) -> dg.AssetMaterialization:
    """Return the event of one asset partition, whose data version covers all of its units, if any."""
    ordered = sorted(units)
    counts: dict[str, float] = defaultdict(float)
    for unit in ordered:
        for name, value in unit.counts.items():
            counts[name] += value
    version = (
        ordered[0].output_hash
        if len(ordered) == 1
        else fingerprint(*([unit.key, unit.output_hash] for unit in ordered))
    )
    code_version = ordered[0].code_version if ordered else CODE_VERSIONS[stage]
    return dg.AssetMaterialization(
        stage,
        partition=partition,
        metadata={
            "units": len(ordered),
            **counts,
            **samples(connection, stage, partition),
            **links(project.settings, stage, partition),
        },
        tags={"dagster/data_version": version[:32], "dagster/code_version": code_version},
    )


def report_finished(instance: dg.DagsterInstance, project: Project) -> int:
    """Tell a Dagster instance of every finished unit that it does not know; return the number of events."""
    with project.database.begin() as connection:
        owed = unreported(connection)
    # In the order of the pipeline: Dagster calls an asset `unsynced` that is older than what it is made from.
    order = {stage: place for place, stage in enumerate(DEPENDS_ON)}
    found = {(unit.stage, partition_of(unit.stage, unit.key) or "") for unit in owed if unit.stage in order}
    groups = sorted(found, key=lambda group: (order[group[0]], group[1]))
    _add_partitions(instance, groups)
    by_group: dict[tuple[str, str], list[Finished]] = defaultdict(list)
    with project.database.begin() as connection:
        for unit in finished(connection, sorted({stage for stage, _ in groups})):
            by_group[unit.stage, partition_of(unit.stage, unit.key) or ""].append(unit)
        events = [
            materialization(project, connection, stage, partition or None, by_group[stage, partition])
            for stage, partition in groups
        ]
    for event in events:
        instance.report_runless_asset_event(event)
    with project.database.begin() as connection:
        mark_reported(connection, owed)
    return len(groups)


def report_all(instance: dg.DagsterInstance, project: Project) -> int:
    """Tell a Dagster instance of finished units and of how the checks stand; return how many units' events."""
    reported = report_finished(instance, project)
    report_checks(instance, project)
    return reported


def _add_partitions(instance: dg.DagsterInstance, groups: list[tuple[str, str]]) -> None:
    for definition, stages in ((VIDEOS, ("videos", *VIDEO_STAGES)), (RUNS, RUN_STAGES)):
        name = definition.name or ""
        new = {key for stage, key in groups if stage in stages} - set(instance.get_dynamic_partitions(name))
        if new:
            instance.add_dynamic_partitions(name, sorted(new))
