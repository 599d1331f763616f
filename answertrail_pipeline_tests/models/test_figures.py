from decimal import Decimal
from pathlib import Path

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.figures import Spending, spending
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.models.server import Reply, ScriptedServer
from answertrail_pipeline_tests.models.test_door import request, settings


async def test_dollars_and_tokens_are_summed_once_and_unknown_is_not_nothing(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    scripted_server.rule = lambda _call: Reply("x", usage=(1000, 100), cached_tokens=10, reasoning_tokens=20)
    door = Door(database, settings(tmp_path))
    accounts = [
        Account("talks", "agent_runs", "q1", "talks/a/v1/c1/r1", "a"),
        Account("talks", "agent_runs", "q2", "talks/a/v1/c1/r2", "a"),
        Account("talks", "claims", "v1"),
        Account("other", "claims", "v1"),
    ]
    for number, account in enumerate(accounts):
        for _ in range(2):  # the second is answered from the ledger
            await door.chat(
                request(scripted_server, str(number)), account, task="t", task_version="1", prompt_hash="p"
            )
    unpriced = request(scripted_server, "u", role={"model": "openai/unpriced"})
    await door.chat(unpriced, accounts[2], task="t", task_version="1", prompt_hash="p")
    await door.close()
    with database.begin() as connection:
        by_arm = spending(connection, "arm", "talks")
        by_run = spending(connection, "run", "talks")
        by_stage = spending(connection, "stage")
    # 1000 x $10/M + 100 x $20/M = $0.012 a call
    runs = Spending("talks", "a", "openai/scripted", 2, 0, 2000, 20, 200, 40, Decimal("0.024"), 0, Decimal(0))
    assert by_arm[-1] == runs
    assert [(one.name, one.known_usd) for one in by_run if one.name] == [
        ("talks/a/v1/c1/r1", Decimal("0.012")),
        ("talks/a/v1/c1/r2", Decimal("0.012")),
    ]
    assert [
        (one.channel, one.name, one.model, one.calls, one.known_usd, one.calls_of_unknown_cost) for one in by_stage
    ] == [
        ("other", "claims", "openai/scripted", 1, Decimal("0.012"), 0),
        ("talks", "agent_runs", "openai/scripted", 2, Decimal("0.024"), 0),
        ("talks", "claims", "openai/scripted", 1, Decimal("0.012"), 0),
        ("talks", "claims", "openai/unpriced", 1, None, 1),
    ]
