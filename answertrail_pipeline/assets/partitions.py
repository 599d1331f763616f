"""The partitions: one per video (`channel/video_id`) and one per run (`channel/arm/gold/cN/rN`)."""

import dagster as dg

VIDEOS = dg.DynamicPartitionsDefinition(name="videos")
RUNS = dg.DynamicPartitionsDefinition(name="runs")
