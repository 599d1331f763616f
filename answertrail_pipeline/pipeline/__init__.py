"""The steps in order: what the command line, the Dagster assets and the backfills all call."""
