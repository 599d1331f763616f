"""Money and keys with a scripted model behind an agent: what the plan said before, what the ledger says after."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import litellm
import pytest

from answertrail_pipeline.agents.react import MAX_PARALLEL
from answertrail_pipeline.models.figures import spending
from answertrail_pipeline.pipeline.plan import Planned, plan_channel
from answertrail_pipeline.pipeline.run import evaluate_channels, run_channels
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.library import write_config
from answertrail_pipeline_tests.models.server import Call, Reply, ScriptedServer

STEPS = 3
MOST_WRITTEN = 900
NOTHING_FOUND = {"answer": "The transcripts do not say.", "citations": [], "abstained": True}


def configure(workplace: Workplace, server: ScriptedServer, more: str = "") -> None:
    """Give the workplace one arm with the scripted model, at a declared price."""
    path = write_config(workplace.root)
    before = path.read_text("utf-8")
    channel, _, _ = before.partition("[arms.single-shot]")
    path.write_text(
        f"{more}{channel}"
        '[models.prices."openai/scripted"]\ninput_per_million = 10\noutput_per_million = 20\n'
        f'[arms.scripted]\nagent = "react"\nmax_steps = {STEPS}\nretriever = {{kind = "bm25", k = 2, max_k = 5}}\n'
        f'model = {{model = "openai/scripted", api_base = "{server.url}", max_output_tokens = {MOST_WRITTEN}}}\n',
        "utf-8",
    )


def prompt_tokens(call: Call) -> int:
    counted = litellm.token_counter(model="openai/scripted", messages=call.messages, tools=call.body.get("tools"))
    return int(counted)


def lazy(call: Call) -> Reply:
    """Search twice, stop, and say little."""
    usage = (prompt_tokens(call), 12)
    if "tools" not in call.body:
        return Reply(NOTHING_FOUND, usage=usage)
    searches = [("search", {"query": words}) for words in ("zinc primer", "lead primer")]
    return Reply(tool_calls=[*searches, ("ready", {"reason": "enough"})], usage=usage)


def greedy(call: Call) -> Reply:
    """Use every step, every search of a step, all output; and write what cannot be used until the last attempt."""
    usage = (prompt_tokens(call), MOST_WRITTEN)
    if "tools" in call.body:
        step = len([message for message in call.messages if message["role"] == "assistant"])
        words = ("lead", "zinc", "bridge", "primer", "Marta Quell", "tin", "rivets", "swallows", "paint", "iron")
        asked = [("search", {"query": f"{word} {step}", "k": 5}) for word in (*words, "months", "crowns", "wind")]
        assert len(asked) == MAX_PARALLEL + 1
        return Reply(tool_calls=asked, usage=usage)
    repaired = call.messages[-2]["role"] == "assistant"
    if not repaired:
        return Reply("I would rather talk. " * 150, usage=usage)
    if "was refused" in call.messages[1]["content"] and "invented:00002" in call.messages[1]["content"]:
        return Reply(NOTHING_FOUND, usage=usage)
    ids = [f"invented:{number:05}" for number in range(60)]
    answer = " ".join(f"So it is [{each}]." for each in ids)
    return Reply({"answer": answer, "citations": ids, "abstained": False}, usage=usage)


def plan(workplace: Workplace) -> Planned:
    with workplace.open() as project:
        lines = project.run(plan_channel(project, "bridges"))
    [line] = [line for line in lines if line.what == "arm scripted"]
    return line


def run(workplace: Workplace) -> dict[str, str]:
    with workplace.open() as project:
        [report] = project.run(run_channels(project, ["bridges"], "people", Silent()))
    return report.errors


def paid(workplace: Workplace) -> tuple[int, Decimal]:
    """Return calls and dollars of the arm, from the ledger."""
    with workplace.open() as project, project.database.begin() as connection:
        [row] = [row for row in spending(connection, "arm", "bridges") if row.name == "scripted"]
    assert row.calls_of_unknown_cost == 0
    return row.calls, row.known_usd or Decimal(0)


@pytest.mark.parametrize(("rule", "calls"), [(lazy, 2), (greedy, STEPS + 4)])
def test_what_an_agent_costs_lies_inside_what_the_plan_printed_before(
    workplace: Workplace, scripted_server: ScriptedServer, rule: Callable[[Call], Any], calls: int
) -> None:
    scripted_server.rule = rule
    configure(workplace, scripted_server)
    run(workplace)
    workplace.freeze()
    before = plan(workplace)
    assert scripted_server.calls == [], "a plan asks nobody"
    assert run(workplace) == {}
    made, dollars = paid(workplace)
    assert made == 3 * calls, "three questions"
    assert before.units == 3
    assert before.cost.low_usd is not None
    assert before.cost.high_usd is not None
    assert 0 < before.cost.low_usd <= dollars <= before.cost.high_usd
    if rule is greedy:
        assert before.cost.high_usd < 4 * dollars, "the highest cost is one that an agent can come near"


def test_the_past_of_an_arm_narrows_the_range_and_the_next_runs_lie_inside(
    workplace: Workplace, scripted_server: ScriptedServer
) -> None:
    scripted_server.rule = lazy
    configure(workplace, scripted_server, "repetitions = 4\n")
    run(workplace)
    workplace.freeze()
    first = plan(workplace)
    assert run(workplace) == {}
    _, dollars = paid(workplace)
    again = plan(workplace)
    assert "as 12 questions took before" in again.why
    assert again.cost.low_usd == 0, "nothing is due: all is in the ledger"
    assert first.cost.high_usd is not None
    assert again.cost.high_usd is not None
    assert again.cost.high_usd < first.cost.high_usd / 10
    with workplace.open() as project:  # a new epoch asks all twelve again
        project.run(evaluate_channels(project, ["bridges"], Silent(), (), 4, fresh=True))
    _, both = paid(workplace)
    assert 0 < both - dollars <= again.cost.high_usd
