"""What a person wants to see of a finished asset at once: a few of its rows, and where to read on."""

from typing import Any

import dagster as dg
from sqlalchemy import Connection, text

from answertrail_pipeline.pipeline.stages import RUN_STAGES, VIDEO_STAGES
from answertrail_pipeline.reporting.stage import report_folder
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.keys import split_key
from answertrail_pipeline.store.shipped import read_sql

SAMPLED = ("chunks", "claims", "threads", "questions", "nuggets", "agent_runs", "assertions", "verdicts")
SCORED = ("metrics", "scoreboard", "report")


def samples(connection: Connection, stage: str, partition: str | None) -> dict[str, Any]:
    """Return three rows of what a stage made, as plain words: they come from captions and models."""
    if stage not in SAMPLED:
        return {}
    given: dict[str, str | None] = {"channel": None, "video_id": None, "run_key": partition}
    if partition and stage in VIDEO_STAGES:
        given["channel"], given["video_id"] = split_key(partition)
    rows = connection.execute(text(read_sql(f"samples/{stage}.sql")), given).scalars()
    return {"samples": dg.MetadataValue.json(list(rows))}


def links(settings: Settings, stage: str, partition: str | None) -> dict[str, Any]:
    """Return where to read on: a page of the workbench, and the report that a score ends in."""
    pages = settings.workbench.address
    found: dict[str, Any] = {}
    if partition and stage in VIDEO_STAGES:
        channel, video_id = partition.split("/")
        found["in the workbench"] = dg.MetadataValue.url(f"{pages}/c/{channel}/videos/{video_id}")
    elif partition and stage in RUN_STAGES:
        found["in the workbench"] = dg.MetadataValue.url(f"{pages}/c/{partition.partition('/')[0]}/trails")
    elif stage in ("threads", "questions", "nuggets"):
        for channel in sorted(settings.channels):
            found[f"{channel} in the workbench"] = dg.MetadataValue.url(f"{pages}/c/{channel}/{stage}")
    if stage in SCORED:
        channels = [split_key(partition)[0]] if partition else sorted(settings.channels)
        for channel in channels:
            found[f"report of {channel}"] = dg.MetadataValue.path(report_folder(settings, channel) / "report.html")
    return found
