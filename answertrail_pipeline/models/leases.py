"""The leases of the calls that this process is making."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from answertrail_pipeline.models.ledger import Ledger
from answertrail_pipeline.store.database import DatabaseLostError

log = logging.getLogger(__name__)


class Leases:
    """Renews leases from a thread: a busy event loop must not look like a dead process.

    What is not held is not renewed: a call whose claim or end was lost with a connection holds its slot only until
    its lease ends, even if this process lives on.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._held: set[str] = set()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def held(self, call_key: str) -> Iterator[None]:
        """Have a call's lease renewed inside the block."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="answertrail-leases", daemon=True)
            self._thread.start()
        with self._lock:
            self._held.add(call_key)
        try:
            yield
        finally:
            with self._lock:
                self._held.discard(call_key)

    def stop(self) -> None:
        """Renew nothing more."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(self._ledger.lease_seconds / 4):
            with self._lock:
                keys = sorted(self._held)
            try:
                self._ledger.renew(keys)
            except DatabaseLostError as error:
                log.warning("Leases of running model calls could not be renewed: %s", error)
