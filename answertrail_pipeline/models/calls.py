"""The life of one paid call: looked up, claimed, tried, settled."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Protocol

from answertrail_pipeline.models.batching import Batcher
from answertrail_pipeline.models.concurrency import AdaptiveLimit
from answertrail_pipeline.models.errors import ModelError
from answertrail_pipeline.models.estimate import Quote
from answertrail_pipeline.models.failures import TryFailedError
from answertrail_pipeline.models.leases import Leases
from answertrail_pipeline.models.ledger import ClaimOutcome, Ledger, Refusal
from answertrail_pipeline.models.ledger_rows import CallEnd, CallToMake, reply_of
from answertrail_pipeline.models.provider import Answered
from answertrail_pipeline.models.retries import Patience
from answertrail_pipeline.models.types import ChatReply

_FIRST_POLL, _LONGEST_POLL = 0.05, 1.0  # seconds between looks at what another process is doing
_ZERO = Decimal(0)

Try = Callable[[], Awaitable[Answered]]


class Caller(Protocol):
    """Has calls made, or finds out which would be made."""

    async def reply(self, call: CallToMake, attempt: Try, quote: Callable[[], Quote]) -> ChatReply:
        """Return the reply to a call."""

    async def close(self) -> None:
        """End the work in hand."""


class Calls:
    """Makes calls for one event loop, each at most once over all processes while it succeeds.

    Args:
        most: calls of one pool at once, over all processes.
    """

    def __init__(self, ledger: Ledger, most: int) -> None:
        self._ledger = ledger
        self._most = most
        self._limits: dict[str, AdaptiveLimit] = {}
        self._given_up: dict[str, ModelError] = {}
        self._running: dict[str, asyncio.Task[ChatReply]] = {}
        self._look_ups = Batcher(ledger.look_up)
        self._turns: Batcher[CallEnd | CallToMake, bool | ClaimOutcome] = Batcher(self._turn)
        self._leases = Leases(ledger)
        self._closing = False

    async def reply(self, call: CallToMake, attempt: Try, quote: Callable[[], Quote]) -> ChatReply:
        """Return the reply to a call, from the ledger or by making it.

        The call runs in a task of its own: it is finished and kept even if who asked is cancelled, and a second
        asker in this process waits for the same one.

        Args:
            attempt: makes one try.
            quote: says what one try may cost; asked only where it matters, since tokens must be counted.

        Raises:
            ModelError: the call cannot be made, or failed for good.
        """
        running = self._running.get(call.call_key)
        if running is not None:
            reply = await asyncio.shield(running)
            return reply.model_copy(update={"from_ledger": True})
        task = asyncio.create_task(self._find_or_make(call, attempt, quote))
        self._running[call.call_key] = task
        task.add_done_callback(lambda done: self._forget(call.call_key, done))
        return await asyncio.shield(task)

    def _forget(self, key: str, done: "asyncio.Task[ChatReply]") -> None:
        del self._running[key]
        if not done.cancelled():
            done.exception()  # marks it as seen: its asker may be gone

    async def close(self) -> None:
        """Let the calls in work end, and keep what they bring; what is not begun is not begun any more."""
        self._closing = True
        await asyncio.gather(*self._running.values(), return_exceptions=True)
        self._leases.stop()

    async def _find_or_make(self, call: CallToMake, attempt: Try, quote: Callable[[], Quote]) -> ChatReply:
        poll = _FIRST_POLL
        limit = self._limits.setdefault(call.pool, AdaptiveLimit(self._most))
        while True:
            stored = await self._look_ups.submit(call.call_key)
            if stored is not None:
                return stored
            course = None
            async with limit.slot():
                if self._closing:
                    raise ModelError("interrupted", f"The call to {call.model} was not begun.")
                if call.pool in self._given_up:
                    raise self._given_up[call.pool]
                call = _with_reserve(call, quote)
                outcome = await self._turns.submit(call)
                if isinstance(outcome, ChatReply):
                    return outcome
                if outcome is Refusal.OVER_BUDGET:
                    raise _over_budget(call, self._ledger)
                if outcome is None:
                    course = await self._make(call, attempt, quote, limit)
            # Its slot is free for the next call, which is claimed in the turn that settles this one or later.
            if course is not None and await self._settled(course):
                return course.reply()
            await asyncio.sleep(poll)
            poll = min(_LONGEST_POLL, poll * 1.5)

    async def _make(
        self, call: CallToMake, attempt: Try, quote: Callable[[], Quote], limit: AdaptiveLimit
    ) -> "_Course":
        """Make a claimed call and hand in how it ended."""
        course = _Course(call, call.reserve_usd)
        try:
            with self._leases.held(call.call_key):
                course.end = await self._try_until_it_ends(course, attempt, quote, limit)
        except asyncio.CancelledError:  # the loop is being stopped: settle now, nobody will run a batch later
            course.lost_usd += quote().cost.high_usd or _ZERO
            interrupted = ModelError("interrupted", f"The call to {call.model} was interrupted.")
            self._ledger.settle(course.failed(interrupted))
            raise
        course.settling = self._turns.hand_in(course.end)
        return course

    async def _settled(self, course: "_Course") -> bool:
        """Wait until the end of a call is stored; False if another process has taken the call over meanwhile."""
        if course.end is None or course.settling is None:
            raise ValueError(f"The call {course.call.call_key} has not ended.")
        try:
            return bool(await course.settling)
        except asyncio.CancelledError:
            self._ledger.settle(course.end)
            raise

    def _turn(self, items: Sequence[CallEnd | CallToMake]) -> list[bool | ClaimOutcome]:
        ends = [item for item in items if isinstance(item, CallEnd)]
        calls = [item for item in items if isinstance(item, CallToMake)]
        settled, outcomes = (iter(results) for results in self._ledger.turn(ends, calls))
        return [next(settled) if isinstance(item, CallEnd) else next(outcomes) for item in items]

    async def _try_until_it_ends(
        self, course: "_Course", attempt: Try, quote: Callable[[], Quote], limit: AdaptiveLimit
    ) -> CallEnd:
        patience = Patience()
        while True:
            course.tries += 1
            try:
                answered = await attempt()
            except TryFailedError as failure:
                if failure.pushes_back:
                    limit.pushed_back(failure.retry_after)
                error = ModelError(failure.code, failure.message)
                wait = None if self._closing else patience.wait_before_next(failure)
                if failure.may_be_billed:
                    cost = quote().cost.high_usd or _ZERO
                    course.lost_usd += cost
                    if wait is not None and not await self._reserve_again(course, cost):
                        wait, error = None, _over_budget(course.call, self._ledger)
                if failure.for_everybody:
                    self._given_up[course.call.pool] = error
                if wait is None:
                    return course.failed(error)
                await asyncio.sleep(wait)
            else:
                limit.succeeded()
                return course.answered(answered)

    async def _reserve_again(self, course: "_Course", cost: Decimal) -> bool:
        """Reserve one more try where a budget is set; False where it does not hold one."""
        if not _limited(course.call):
            return True
        held = await asyncio.to_thread(self._ledger.reserve_again, course.call, cost)
        course.reserved_usd += cost if held else _ZERO
        return held


@dataclass
class _Course:
    """How a claimed call goes."""

    call: CallToMake
    reserved_usd: Decimal
    lost_usd: Decimal = _ZERO
    tries: int = 0
    error: ModelError | None = None
    end: CallEnd | None = None
    settling: "asyncio.Future[bool | ClaimOutcome] | None" = None

    def reply(self) -> ChatReply:
        """Return the reply of a call that ended.

        Raises:
            ModelError: it brought none.
        """
        if self.error is not None or self.end is None:
            raise self.error or ValueError(f"The call {self.call.call_key} has not ended.")
        return reply_of(self.end)

    def failed(self, error: ModelError) -> CallEnd:
        """Return the end of a call that brought nothing."""
        self.error = error
        return CallEnd(
            self.call,
            reserved_usd=self.reserved_usd,
            lost_usd=self.lost_usd,
            tries=self.tries,
            error_code=error.code,
            error=error.message,
        )

    def answered(self, answered: Answered) -> CallEnd:
        """Return the end of a call that brought a reply."""
        return CallEnd(
            self.call,
            reply=answered.reply,
            finish_reason=answered.finish_reason,
            usage=answered.usage,
            cost_usd=answered.cost_usd,
            reserved_usd=self.reserved_usd,
            lost_usd=self.lost_usd,
            latency_ms=answered.latency_ms,
            tries=self.tries,
        )


def _limited(call: CallToMake) -> bool:
    return any(limit is not None for limit in call.budgets.values())


def _with_reserve(call: CallToMake, quote: Callable[[], Quote]) -> CallToMake:
    if not _limited(call) or call.reserve_usd:
        return call
    highest = quote().cost.high_usd
    if highest is None:
        raise ModelError(
            "budget",
            f"A budget is set, but the price of {call.model} is unknown, so it could not be kept."
            f' Declare it under [models.prices."{call.model}"], or unset the budget.',
        )
    return replace(call, reserve_usd=highest)


def _over_budget(call: CallToMake, ledger: Ledger) -> ModelError:
    parts = [
        f"{name}: ${spent:.4f} spent and ${reserved:.4f} reserved of ${limit:.2f}"
        for name, spent, reserved, limit in ledger.stand(call.budgets)
    ]
    return ModelError(
        "budget",
        f"One more call of {call.model} may cost ${call.reserve_usd:.4f}, which the budget does not hold"
        f" ({'; '.join(parts)}). Everything done so far is kept. Raise `run_usd` or `day_usd` in [budget].",
    )
