"""When a failed try is worth another, and how long to wait for it."""

import random
from dataclasses import dataclass, field
from typing import Final

from answertrail_pipeline.models.failures import TryFailedError

MAX_TRIES: Final = 8
"""Tries of a call whose provider fails or is silent: the waits between them add up to about half a minute."""
MAX_RATE_WAIT: Final = 900.0
"""Seconds that one call waits in all for a provider that pushes back; being asked to wait is no failed try."""
_FIRST_WAIT: Final = 0.25
_LONGEST_WAIT: Final = 30.0


@dataclass
class Patience:
    """What one call has left of it."""

    tries: int = 0
    failures: int = 0
    waited: float = 0.0
    _random: random.Random = field(default_factory=random.Random)

    def wait_before_next(self, failure: TryFailedError) -> float | None:
        """Return the seconds to wait before another try, or None where none is worth making."""
        if not failure.can_retry:
            return None
        counts = failure.code != "rate"
        self.failures += counts
        if self.failures >= MAX_TRIES:
            return None
        backoff = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** max(0, self.tries - 1))
        wait: float = max(backoff * self._random.uniform(0.5, 1.5), failure.retry_after or 0.0)
        if not counts:
            self.waited += wait
            if self.waited > MAX_RATE_WAIT:
                return None
        return wait
