"""Jobs that people launch by name: ingest, gold, evaluate, rescore."""

import dagster as dg

ingest = dg.define_asset_job(
    "ingest",
    selection=["chunks", "embeddings", "claims"],
    description="Bring videos up to date: chunks, embeddings, claims.",
)
gold = dg.define_asset_job(
    "gold",
    selection=["term_stats", "threads", "questions", "nuggets"],
    description="Propose what an answer must say. People decide in the workbench; nothing is frozen here.",
)
evaluate = dg.define_asset_job(
    "evaluate",
    selection=["agent_runs", "assertions", "verdicts", "metrics"],
    description="Run one arm over the gold and score it.",
)
rescore = dg.define_asset_job(
    "rescore",
    selection=["calibration", "scoreboard", "series", "report"],
    description="Make scoreboard, series and report anew from stored verdicts; no model is asked.",
)
