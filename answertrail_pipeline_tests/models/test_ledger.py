"""One turn of the ledger: what ended makes room, in slots and budgets, for what begins in the same transaction."""

import random
import threading
from decimal import Decimal

from answertrail_pipeline.models.ledger import Ledger, Refusal
from answertrail_pipeline.models.ledger_rows import CallEnd, CallToMake
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.store.database import Database

LIMIT = {"day 2026-11-30": Decimal("1.00")}


def call(key: str, reserve: str) -> CallToMake:
    return CallToMake(
        call_key=key,
        kind="chat",
        account=Account("talks", "claims", key),
        task="t",
        task_version="1",
        model="openai/scripted",
        pool="openai/scripted",
        prompt_hash="p",
        request="{}",
        budgets=LIMIT,
        reserve_usd=Decimal(reserve),
    )


def ended(made: CallToMake, cost: str) -> CallEnd:
    reply = {"content": "ok", "tool_calls": []}
    return CallEnd(made, reply, "stop", cost_usd=Decimal(cost), reserved_usd=made.reserve_usd)


def test_an_end_frees_its_slot_and_its_money_for_a_call_of_the_same_turn(database: Database) -> None:
    ledger = Ledger(database, "one", lease_seconds=20, slots=1)
    first, second, third = call("a", "0.90"), call("b", "0.50"), call("c", "0.50")
    assert ledger.turn([], [first, second]) == ([], [None, Refusal.NO_SLOT])
    # 0.90 was reserved and 0.10 spent, so that 0.10 + 0.50 fit into 1.00.
    assert ledger.turn([ended(first, "0.10")], [second]) == ([True], [None])
    # 0.10 + 0.40 spent: 0.50 more fit exactly.
    assert ledger.turn([ended(second, "0.40")], [third]) == ([True], [None])
    assert ledger.turn([ended(third, "0.45")], [call("d", "0.06")]) == ([True], [Refusal.OVER_BUDGET])
    # 0.10 + 0.40 + 0.45 spent, nothing reserved
    assert ledger.stand(LIMIT) == [("day 2026-11-30", Decimal("0.95"), Decimal(0), Decimal("1.00"))]
    ledger.close()


def test_a_call_that_another_process_took_over_is_left_to_it(database: Database) -> None:
    slow = Ledger(database, "slow", lease_seconds=0, slots=1)
    other = Ledger(database, "other", lease_seconds=20, slots=1)
    made = call("a", "0.10")
    assert slow.turn([], [made]) == ([], [None])
    assert other.turn([], [made]) == ([], [None]), "the lease of the first ended at once"
    assert slow.turn([ended(made, "0.10")], []) == ([False], [])
    assert other.turn([ended(made, "0.10")], []) == ([True], [])
    slow.close()
    other.close()


def test_renewing_leases_never_waits_in_a_circle_with_settling(database: Database) -> None:
    ledger = Ledger(database, "one", lease_seconds=20, slots=200)
    stopped = threading.Event()
    errors: list[Exception] = []
    keys = [f"{round_} {number}" for round_ in range(15) for number in range(200)]

    def renew() -> None:
        try:
            while not stopped.is_set():
                ledger.renew(keys)
        except Exception as error:  # noqa: BLE001  # shown by the test
            errors.append(error)

    renewers = [threading.Thread(target=renew) for _ in range(2)]
    for renewer in renewers:
        renewer.start()
    order = random.Random(1)
    try:
        for round_ in range(15):
            calls = [call(f"{round_} {number}", "0.00001") for number in range(200)]
            assert ledger.turn([], calls) == ([], [None] * 200)
            order.shuffle(calls)
            assert ledger.turn([ended(made, "0.00001") for made in calls], []) == ([True] * 200, [])
    finally:
        stopped.set()
        for renewer in renewers:
            renewer.join()
        ledger.close()
    assert errors == []
