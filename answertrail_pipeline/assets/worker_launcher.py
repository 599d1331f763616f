"""Celery workers execute runs, and a run whose worker is gone is noticed.

Celery says `STARTED` for ever of a task whose worker was killed, and dagster-celery believes it. Here the worker
that took the task is asked too; the daemon marks a dead run as failed and starts it again on another worker, which
computes only what is missing.
"""

from dagster import DagsterRun
from dagster._core.launcher import CheckRunHealthResult, WorkerStatus
from dagster_celery.launcher import CeleryRunLauncher
from dagster_celery.tags import DAGSTER_CELERY_TASK_ID_TAG

PING_SECONDS = 5.0


class WorkerLauncher(CeleryRunLauncher):  # type: ignore[misc]
    """dagster-celery's launcher, with a truer answer to whether a run's worker lives."""

    def check_run_worker_health(self, run: DagsterRun) -> CheckRunHealthResult:
        """Say how the run's task is, as Celery does, but failed if its worker answers no more."""
        health: CheckRunHealthResult = super().check_run_worker_health(run)
        task = self.celery.AsyncResult(run.tags[DAGSTER_CELERY_TASK_ID_TAG])
        worker = task.info.get("hostname") if task.state == "STARTED" else None
        if worker and not self.celery.control.ping(destination=[worker], timeout=PING_SECONDS):
            return CheckRunHealthResult(WorkerStatus.FAILED, f"The worker {worker} answers no more.")
        return health
