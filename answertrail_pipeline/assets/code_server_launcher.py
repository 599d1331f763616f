"""The code server executes runs, and a run whose process is gone is noticed.

Dagster's own launcher never asks. A run of a code server that was killed would hold its place in the queue until
somebody ends it by hand. Found dead, it is marked as failed by the daemon's run monitoring and retried; the retry
computes only what is missing.
"""

from dagster import DagsterRun
from dagster._core.errors import DagsterUserCodeUnreachableError
from dagster._core.launcher import CheckRunHealthResult, WorkerStatus
from dagster._core.launcher.default_run_launcher import DefaultRunLauncher
from dagster._grpc.types import CanCancelExecutionRequest, CanCancelExecutionResult
from dagster._serdes import deserialize_value

ASK_SECONDS = 20


class CodeServerLauncher(DefaultRunLauncher):
    """Dagster's default launcher, with an answer to whether a run's process lives."""

    @property
    def supports_check_run_worker_health(self) -> bool:
        """It does."""
        return True

    def check_run_worker_health(self, run: DagsterRun) -> CheckRunHealthResult:
        """Ask the code server whether it still has the run; one that is only slow is believed to have it."""
        import grpc  # type: ignore[import-untyped]

        client = self._get_grpc_client_for_termination(run.run_id)  # type: ignore[no-untyped-call]
        if client is None:  # the run has ended meanwhile
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        try:
            reply = client.can_cancel_execution(CanCancelExecutionRequest(run_id=run.run_id), timeout=ASK_SECONDS)
        except DagsterUserCodeUnreachableError as error:
            if getattr(error.__cause__, "code", lambda: None)() == grpc.StatusCode.UNAVAILABLE:
                return CheckRunHealthResult(WorkerStatus.FAILED, "The code server that ran it is gone.")
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        if deserialize_value(reply, CanCancelExecutionResult).can_cancel:
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        return CheckRunHealthResult(WorkerStatus.FAILED, "The code server has no such process.")
