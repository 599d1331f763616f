"""Talking to the Dagster webserver as its own pages do."""

import json
import socket
import time
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

LAUNCH = """mutation($params: ExecutionParams!) { launchRun(executionParams: $params) {
    __typename ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""
ADD_PARTITION = """mutation($selector: RepositorySelector!, $of: String!, $key: String!) {
    addDynamicPartition(repositorySelector: $selector, partitionsDefName: $of, partitionKey: $key) {
        __typename } }"""
RUNS = "{ runsOrError { ... on Runs { results { runId status jobName tags { key value } } } } }"
STATUS = "query($id: ID!) { runOrError(runId: $id) { ... on Run { status } } }"
LOCATION = {"repositoryLocationName": "answertrail", "repositoryName": "__repository__"}
ENDED = ("SUCCESS", "FAILURE", "CANCELED")


def free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def graphql(address: str, query: str, **variables: Any) -> Any:
    """Return the data of a reply."""
    body = json.dumps({"query": query, "variables": variables}).encode()
    request = urllib.request.Request(f"{address}/graphql", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as reply:
        answer = json.load(reply)
    assert "errors" not in answer, answer["errors"]
    return answer["data"]


def runs(address: str) -> list[dict[str, Any]]:
    """Return all runs, the newest first, with their tags as a dictionary."""
    found = graphql(address, RUNS)["runsOrError"]["results"]
    return [run | {"tags": {tag["key"]: tag["value"] for tag in run["tags"]}} for run in found]


def idle(address: str) -> bool:
    """Whether there were runs and all have ended."""
    found = runs(address)
    return bool(found) and all(run["status"] in ENDED for run in found)


def launch(address: str, job: str, partition: str) -> str:
    """Launch a job of one run partition, added where it is missing; return the run's id."""
    graphql(address, ADD_PARTITION, selector=LOCATION, of="runs", key=partition)
    params = {
        "selector": LOCATION | {"jobName": job},
        "runConfigData": "{}",
        "mode": "default",
        "executionMetadata": {"tags": [{"key": "dagster/partition", "value": partition}]},
    }
    launched = graphql(address, LAUNCH, params=params)["launchRun"]
    assert launched["__typename"] == "LaunchRunSuccess", launched
    run_id: str = launched["run"]["runId"]
    return run_id


def status(address: str, run_id: str) -> str:
    """Return how a run stands."""
    found: str = graphql(address, STATUS, id=run_id)["runOrError"]["status"]
    return found


def wait_for(what: str, true: Callable[[], bool], patience: float = 600, pause: float = 2) -> None:
    """Wait until something is true; fail the test after a while."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        try:
            if true():
                return
        except OSError:  # the UI is not up
            pass
        time.sleep(pause)
    pytest.fail(f"waited {patience} s for {what}")
