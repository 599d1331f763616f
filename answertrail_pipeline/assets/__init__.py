"""The Dagster side: assets, checks, jobs, schedules, sensors. Thin; the work is in the other rooms."""
