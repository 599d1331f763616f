"""How Dagster grows with the number of videos: telling it of all units, an automation tick, an asset's page."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dagster as dg
import numpy as np
import psutil
from scale_figures import Figures, check, clock

from answertrail_pipeline.assets.instance import dagster_environment, open_instance, prepare_instance
from answertrail_pipeline.assets.outbox import report_all
from answertrail_pipeline.definitions import build_defs
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.store.shipped import shipped

PAGE = """query($key: AssetKeyInput!) { assetNodeOrError(assetKey: $key) { ... on AssetNode {
    partitionStats { numMaterialized numPartitions numFailed }
    assetPartitionStatuses { ... on DefaultPartitionStatuses { materializedPartitions unmaterializedPartitions } }
    assetChecksOrError { ... on AssetChecks { checks { name description
        executionForLatestMaterialization { status } } } } } } }"""


def dagster_figures(project: Project) -> Figures:
    """Return seconds of telling Dagster everything, of an idle automation tick, and of the UI's asset page."""
    figures: Figures = {}
    os.environ["ANSWERTRAIL_CONFIG"] = str(project.settings.config)
    prepare_instance(project)
    with open_instance(project) as instance:
        with clock(figures, "telling Dagster of all units"):
            report_all(instance, project)
        definitions = build_defs()
        with clock(figures, "first automation tick"):
            first = dg.evaluate_automation_conditions(defs=definitions, instance=instance)
        with clock(figures, "idle automation tick"):
            idle = dg.evaluate_automation_conditions(defs=definitions, instance=instance, cursor=first.cursor)
        check(idle.total_requested == 0, f"the idle tick requested {idle.total_requested} partitions")
        figures["partitions"] = len(instance.get_dynamic_partitions("videos"))
    environment = os.environ | dagster_environment(project)
    with webserver(environment, project.settings.data_dir) as address:
        for asset in ("chunks", "claims"):
            taken = []
            for _ in range(3):
                start = time.perf_counter()
                node = graphql(address, PAGE, key={"path": [asset]})["assetNodeOrError"]
                taken.append(time.perf_counter() - start)
            check(node["partitionStats"]["numMaterialized"] > 0, f"the page of {asset} shows no partition")
            figures[f"asset page of {asset}, s"] = float(np.median(taken))
    return figures


@contextmanager
def webserver(environment: dict[str, str], folder: Path) -> Iterator[str]:
    """Start Dagster's web server; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = str(Path(sys.executable).parent / "dagster-webserver")
    command = [program, "-w", str(shipped("workspace.yaml")), "-h", "127.0.0.1", "-p", str(port)]
    with (folder / "webserver.log").open("w") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: graphql(address, "{ version }"))
        yield address
    finally:
        for child in [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]:
            child.terminate()
        process.wait(30)


def graphql(address: str, query: str, **variables: Any) -> Any:
    """Return the data of a reply."""
    body = json.dumps({"query": query, "variables": variables}).encode()
    request = urllib.request.Request(f"{address}/graphql", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as reply:
        answer = json.load(reply)
    check("errors" not in answer, str(answer.get("errors")))
    return answer["data"]


def wait_for(true: Callable[[], Any], patience: float = 120) -> None:
    """Wait until the web server answers."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        try:
            if true():
                return
        except OSError:
            pass
        time.sleep(0.5)
    raise SystemExit(f"the web server did not answer within {patience} s")
