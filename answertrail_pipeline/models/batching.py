"""Many small writes in few transactions, each awaited until it is committed."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Batcher(Generic[Item, Result]):
    """Gathers what arrives while the last batch is being written, and writes it as one batch in a thread.

    Nobody's result is delayed by a timer: a lone item is written at once.

    Args:
        write: handles a batch and returns a result for each item, in order; raises for the whole batch.
        limit: largest batch.
    """

    def __init__(self, write: Callable[[Sequence[Item]], Sequence[Result]], limit: int = 200) -> None:
        self._write = write
        self._limit = limit
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._writer: asyncio.Task[None] | None = None

    def hand_in(self, item: Item) -> "asyncio.Future[Result]":
        """Have an item handled after all that came before; the future ends once its batch is committed."""
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._writer is None:
            self._writer = asyncio.create_task(self._drain())
        return future

    async def submit(self, item: Item) -> Result:
        """Have an item handled, and return its result once its batch is committed."""
        return await self.hand_in(item)

    async def _drain(self) -> None:
        try:
            while self._waiting:
                await asyncio.sleep(0)  # whom the same event woke, as the next call by a freed place, comes along
                batch, self._waiting = self._waiting[: self._limit], self._waiting[self._limit :]
                await self._write_batch(batch)
        finally:
            self._writer = None

    async def _write_batch(self, batch: list[tuple[Item, asyncio.Future[Result]]]) -> None:
        try:
            results = await asyncio.to_thread(self._write, [item for item, _ in batch])
        except Exception as error:  # noqa: BLE001  # handed to everybody who waits, nothing is swallowed
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), result in zip(batch, results, strict=True):
            if not future.done():
                future.set_result(result)
