"""How many calls of one model are in work at once: as many as its provider takes."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

TOLERATED: Final = 0.15
"""Share of push-backs in a round that is taken for chance: single 500s must not throttle thousands of calls."""

ROUND: Final = 20
"""Fewest outcomes by which the bound is judged: of three, one failure would say nothing."""

PACE: Final = 0.005
"""Seconds between two steps of the climb. A provider refuses sooner than it answers, so few calls are refused; and
calls that begin one after the other also end so, and never queue for this process's attention."""


class AdaptiveLimit:
    """A bound that grows until the provider pushes back, and shrinks to what the provider took.

    It starts at one and climbs by one every `PACE` while calls wait, until the first push-back; then, while
    push-backs are few, by one with each reply. After each round (as many outcomes as the bound, at least `ROUND`)
    it is judged: with more push-backs than `TOLERATED` it is cut to the share that got through; otherwise the
    climb goes on, or, once it was cut, it grows by one.

    Args:
        most: never more than this at once.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = 1
        self._active = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._cut = False
        self._climbing = False
        self._good = self._bad = 0
        self._retry_after = 0.0
        self._resume_at = float("-inf")

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold one of the slots, given in the order of asking; not before the provider wants to be asked again."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._give()
        self._climb()
        try:
            await turn
            if (wait := self._resume_at - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            yield
        finally:
            if turn.done() and not turn.cancelled():
                self._active -= 1
                self._give()

    def _give(self) -> None:
        while self._waiting and self._active < self.limit:
            turn = self._waiting.popleft()
            if not turn.done():  # its asker may have been cancelled
                self._active += 1
                turn.set_result(None)

    def _climb(self) -> None:
        if self._waiting and self.limit < self.most and not (self._bad or self._cut or self._climbing):
            self._climbing = True
            asyncio.get_running_loop().call_later(PACE, self._step)

    def _step(self) -> None:
        self._climbing = False
        if not (self._bad or self._cut):
            self._set(self.limit + 1)
            self._climb()

    def succeeded(self) -> None:
        """Note that the provider took a call."""
        self._good += 1
        if not self._cut and 0 < self._bad <= TOLERATED * ROUND:
            self._set(self.limit + 1)
        self._end_round()

    def pushed_back(self, retry_after: float | None) -> None:
        """Note that the provider did not take a call (429, 5xx, time-out).

        Args:
            retry_after: seconds that it asks to wait.
        """
        self._bad += 1
        self._retry_after = max(self._retry_after, retry_after or 0.0)
        self._end_round()

    def _end_round(self) -> None:
        outcomes = self._good + self._bad
        if outcomes < max(self.limit, ROUND):
            return
        if self._bad > TOLERATED * outcomes:
            self._cut = True
            self._set(min(self.limit - 1, self.limit * self._good // outcomes))
            self._resume_at = time.monotonic() + self._retry_after
        elif self._cut:
            self._set(self.limit + 1)
        self._good = self._bad = 0
        self._retry_after = 0.0
        self._climb()

    def _set(self, limit: int) -> None:
        self.limit = max(1, min(self.most, limit))
        self._give()
