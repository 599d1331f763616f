"""How long a backfill of unchanged videos takes, launched through Dagster's GraphQL as the UI does.

    python benchmarks/backfill.py PROJECT_FOLDER [ASSET ...]

The folder holds an `answertrail.toml` whose videos `answertrail run` has brought up to date. The script starts
`answertrail dev` on it, asks for all partitions of the assets (chunks, embeddings and claims where none is named),
waits until the daemon has finished them, and prints the seconds, the runs they took, and how many units were made.
"""

import json
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from sqlalchemy import text

from answertrail_pipeline.pipeline.project import open_project

PORT = 3477
ENDS = ("COMPLETED", "COMPLETED_SUCCESS", "COMPLETED_FAILED", "FAILED", "CANCELED")
LAUNCH = """mutation($params: LaunchBackfillParams!) { launchPartitionBackfill(backfillParams: $params) {
  __typename ... on LaunchBackfillSuccess { backfillId } ... on PythonError { message } } }"""
STATUS = """query($id: String!) { partitionBackfillOrError(backfillId: $id) {
  __typename ... on PartitionBackfill { status } } }"""
RUNS = """query($filter: RunsFilter) { runsOrError(filter: $filter) { ... on Runs { results { status } } } }"""


def ask(query: str, **variables: Any) -> Any:
    request = urllib.request.Request(
        f"http://127.0.0.1:{PORT}/graphql",
        json.dumps({"query": query, "variables": variables}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as reply:
        return json.load(reply)["data"]


def made(folder: Path) -> tuple[dict[tuple[str, str], str], int]:
    """Return when each unit was finished, and how many model calls were ever made."""
    with open_project(folder / "answertrail.toml") as project, project.database.begin() as connection:
        rows = connection.execute(text("select stage, key, finished_at::text from stage_run"))
        units = {(row[0], row[1]): row[2] for row in rows}
        return units, connection.execute(text("select count(*) from model_calls")).scalar_one()


def wait_for_ui() -> None:
    while True:
        try:
            ask("{ version }")
            return
        except OSError:
            time.sleep(1)


def backfill(assets: list[str]) -> tuple[str, float, int]:
    started = time.monotonic()
    selection = [{"path": [name]} for name in assets]
    launched = ask(LAUNCH, params={"assetSelection": selection, "allPartitions": True})["launchPartitionBackfill"]
    if "backfillId" not in launched:
        sys.exit(f"Dagster refuses: {launched}")
    backfill_id = launched["backfillId"]
    while True:
        status = ask(STATUS, id=backfill_id)["partitionBackfillOrError"]["status"]
        if status in ENDS:
            break
        time.sleep(1)
    seconds = time.monotonic() - started
    tags = [{"key": "dagster/backfill", "value": backfill_id}]
    runs = ask(RUNS, filter={"tags": tags})["runsOrError"]["results"]
    return status, seconds, len(runs)


def main() -> None:
    folder = Path(sys.argv[1])
    assets = sys.argv[2:] or ["chunks", "embeddings", "claims"]
    before, calls_before = made(folder)
    process = subprocess.Popen(
        [sys.executable, "-m", "answertrail_pipeline.cli", "--config", str(folder / "answertrail.toml"),
         "dev", "--port", str(PORT)]
    )  # fmt: skip
    try:
        wait_for_ui()
        status, seconds, runs = backfill(assets)
        after, calls_after = made(folder)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
    units = sum(1 for stage, _ in before if stage in assets)
    anew = sum(after[unit] != finished for unit, finished in before.items())
    print(f"{status}: {units} partitions of {', '.join(assets)} in {seconds:.0f} s and {runs} runs")
    print(f"computed anew: {anew} units; model calls: {calls_after - calls_before}")


if __name__ == "__main__":
    main()
