"""How far a step is, in Dagster's log: a line at the start and one every few seconds, not one a unit."""

import time
from logging import Logger

from answertrail_pipeline.pipeline.watch import Listeners
from answertrail_pipeline.store.stage_run import Unit, UnitState

EVERY_SECONDS = 10.0


def in_log(log: Logger, stage: str) -> Listeners:
    """Return listeners that tell of a stage's progress."""
    done, failed, last = 0, 0, time.monotonic()
    total = 0

    def on_due(count: int) -> None:
        nonlocal total
        total += count
        if count:
            log.info(f"{stage}: {count} units to compute")

    def on_unit(unit: Unit, state: UnitState) -> None:
        nonlocal done, failed, last
        done += 1
        failed += state is UnitState.ERROR
        if state is UnitState.ERROR:
            log.warning(f"{stage} {unit.key} failed")
        if done == total or time.monotonic() - last >= EVERY_SECONDS:
            last = time.monotonic()
            log.info(f"{stage}: {done} of {total} computed" + (f", {failed} failed" if failed else ""))

    return Listeners(on_due, on_unit)
