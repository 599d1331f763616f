"""The adaptive bound, step by step, and the batcher."""

import asyncio
import itertools
import time
from collections.abc import Sequence

import pytest

from answertrail_pipeline.models.batching import Batcher
from answertrail_pipeline.models.concurrency import PACE, ROUND, AdaptiveLimit


async def test_it_climbs_step_by_step_while_calls_wait_until_it_reaches_the_most() -> None:
    limit = AdaptiveLimit(8)
    begun: list[float] = []

    async def work() -> None:
        async with limit.slot():
            begun.append(asyncio.get_running_loop().time())
            await asyncio.sleep(0.2)

    assert limit.limit == 1
    async with limit.slot():
        await asyncio.sleep(5 * PACE)
    assert limit.limit == 1  # nobody waited
    await asyncio.gather(*(work() for _ in range(9)))
    gaps = [later - earlier for earlier, later in itertools.pairwise(begun)]
    assert limit.limit == 8
    assert all(gap >= PACE * 0.9 for gap in gaps[:7])
    assert gaps[7] > 0.1  # the ninth waits for a place


async def test_a_push_back_halts_the_climb_and_goes_unpunished_where_the_round_is_good() -> None:
    limit = AdaptiveLimit(64)

    async def work() -> None:
        async with limit.slot():
            await asyncio.sleep(60)

    calls = [asyncio.create_task(work()) for _ in range(64)]
    await asyncio.sleep(1.5 * PACE)
    limit.pushed_back(None)
    halted = limit.limit
    await asyncio.sleep(5 * PACE)
    assert limit.limit == halted < 64
    for _ in range(max(halted, ROUND) - 1):
        limit.succeeded()
    await asyncio.sleep(5 * PACE)
    assert limit.limit > halted  # 1 of 20 is within 15 %
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)


def test_a_failure_of_the_very_first_call_does_not_hold_the_others_for_a_round() -> None:
    limit = AdaptiveLimit(32)
    limit.pushed_back(None)
    for _ in range(3):
        limit.succeeded()
    assert (
        limit.limit == 4
    )  # one more with each reply: 20 slow calls one after the other would take 20 times as long


def test_a_round_full_of_push_backs_cuts_it_to_what_got_through() -> None:
    limit = AdaptiveLimit(32)
    limit.limit = 28
    for _ in range(4):
        limit.succeeded()
    for _ in range(24):
        limit.pushed_back(None)
    assert limit.limit == 4  # the 28th outcome ends the round, in which 4 got through


def test_a_small_bound_is_judged_by_twenty_outcomes() -> None:
    limit = AdaptiveLimit(32)
    limit.limit = 10
    for _ in range(12):
        limit.pushed_back(None)
    for _ in range(7):
        limit.succeeded()
    assert limit.limit == 10
    limit.succeeded()
    assert limit.limit == 4  # 8 of 20 got through: 10 * 8 / 20


def test_once_cut_it_creeps_up_by_one_a_round() -> None:
    limit = AdaptiveLimit(32)
    limit.limit = 24
    for _ in range(24):
        limit.pushed_back(None)
    assert limit.limit == 1
    for _ in range(19):
        limit.succeeded()
    assert limit.limit == 1
    limit.succeeded()
    assert limit.limit == 2


async def test_no_more_than_the_bound_are_in_work_and_the_first_comes_first() -> None:
    limit = AdaptiveLimit(2)
    limit.limit = 2
    order: list[int] = []
    at_once = most = 0

    async def work(number: int) -> None:
        nonlocal at_once, most
        async with limit.slot():
            order.append(number)
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0.01)
            at_once -= 1

    await asyncio.gather(*(work(number) for number in range(10)))
    assert (order, most) == (list(range(10)), 2)


async def test_a_cancelled_waiter_leaves_its_place_to_the_next() -> None:
    limit = AdaptiveLimit(1)
    entered = []

    async def work(number: int) -> None:
        async with limit.slot():
            entered.append(number)
            await asyncio.sleep(0.05)

    tasks = [asyncio.create_task(work(number)) for number in range(3)]
    await asyncio.sleep(0.01)
    tasks[1].cancel()
    tasks[0].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert entered == [0, 2]


async def test_a_cut_waits_as_long_as_the_provider_asks() -> None:
    limit = AdaptiveLimit(1)
    for _ in range(ROUND):
        limit.pushed_back(0.2)
    started = time.monotonic()
    async with limit.slot():
        assert time.monotonic() - started >= 0.19


async def test_what_arrives_while_a_batch_is_written_is_the_next_batch() -> None:
    batches: list[list[int]] = []

    def write(items: Sequence[int]) -> list[int]:
        batches.append(list(items))
        time.sleep(0.02)
        return [item * 10 for item in items]

    batcher = Batcher(write, limit=4)
    first = asyncio.create_task(batcher.submit(0))
    await asyncio.sleep(0.005)
    others = await asyncio.gather(*(batcher.submit(number) for number in range(1, 8)))
    assert (await first, others) == (0, [10, 20, 30, 40, 50, 60, 70])
    assert batches == [[0], [1, 2, 3, 4], [5, 6, 7]]


async def test_a_batch_that_fails_fails_for_everybody_in_it_and_for_nobody_else() -> None:
    def write(items: Sequence[int]) -> list[int]:
        if 1 in items:
            raise ValueError("no")
        return list(items)

    batcher = Batcher(write)
    for bad in (1, 1):
        with pytest.raises(ValueError, match="no"):
            await batcher.submit(bad)
    assert await batcher.submit(2) == 2
