"""Money and keys with a scripted model behind an agent: what the plan said before, what the ledger says after."""

import logging
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import dagster as dg
import litellm
import pytest
from sqlalchemy import text

from answertrail_pipeline.agents.react import MAX_PARALLEL
from answertrail_pipeline.assets.outbox import report_all
from answertrail_pipeline.assets.resources import ProjectResource
from answertrail_pipeline.definitions import build_defs
from answertrail_pipeline.models.figures import spending
from answertrail_pipeline.pipeline.plan import Planned, plan_channel
from answertrail_pipeline.pipeline.run import run_channels
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.library import write_config
from answertrail_pipeline_tests.models.server import PLANTED_KEY, Call, Failure, Reply, ScriptedServer

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
    assert (plan(workplace).units, plan(workplace).cost.high_usd) == (0, 0)
    configure(workplace, scripted_server, "repetitions = 8\n")
    again = plan(workplace)
    assert "as 12 questions took before" in again.why
    assert again.units == 12, "four more repetitions of three questions"
    assert first.cost.high_usd is not None
    assert again.cost.high_usd is not None
    assert again.cost.high_usd < first.cost.high_usd / 10
    assert run(workplace) == {}
    _, both = paid(workplace)
    assert 0 < both - dollars <= again.cost.high_usd


def rows_of_every_table(workplace: Workplace) -> Iterator[str]:
    with workplace.open() as project, project.database.begin() as connection:
        tables = connection.execute(
            text("select quote_ident(tablename) from pg_tables where schemaname = 'public'")
        ).scalars()
        for table in tables.all():
            yield from connection.execute(text(f"select t::text from {table} t")).scalars()


def events_of_dagster(instance: dg.DagsterInstance) -> Iterator[str]:
    for run in instance.get_runs():
        yield from (entry.to_json() for entry in instance.all_logs(run.run_id))
    for key in instance.get_asset_keys():
        for record in instance.fetch_materializations(key, limit=1000).records:
            yield record.event_log_entry.to_json()


def files_of(workplace: Workplace) -> Iterator[str]:
    for path in workplace.root.rglob("*"):
        if path.is_file():
            yield path.read_text("utf-8", errors="replace")


def test_a_key_is_in_no_row_log_event_or_file(
    workplace: Workplace,
    scripted_server: ScriptedServer,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """One question's calls are refused with the key in the message, as providers do; it stays failed."""

    def rule(call: Call) -> Reply | Failure:
        if "rivets" in str(call.messages):
            return Failure(400, f"The request of {PLANTED_KEY} ({PLANTED_KEY[:18]}...) about rivets is wrong.")
        return lazy(call)

    scripted_server.rule = rule
    caplog.set_level(logging.DEBUG)
    configure(workplace, scripted_server)
    run(workplace)
    workplace.freeze()
    assert list(run(workplace)) == ["agent_runs bridges/scripted/v1/c1/r1/q1"]
    with dg.DagsterInstance.ephemeral() as instance:
        with workplace.open() as project:
            assert report_all(instance, project)
        jobs = build_defs(project=ProjectResource(config=str(workplace.root / "answertrail.toml")))
        [partition] = instance.get_dynamic_partitions("runs")
        job = jobs.resolve_implicit_global_asset_job_def()
        job.execute_in_process(
            instance=instance,
            asset_selection=[dg.AssetKey("agent_runs")],
            partition_key=partition,
            raise_on_error=False,
        )
        events = "\n".join(events_of_dagster(instance))
    said = capfd.readouterr()
    places = {
        "database": "\n".join(rows_of_every_table(workplace)),
        "events": events,
        "files": "\n".join(files_of(workplace)),
        "logs": caplog.text + said.out + said.err,
    }
    assert scripted_server.calls[0].headers["authorization"] == f"Bearer {PLANTED_KEY}", "it was sent"
    for place, written in places.items():
        assert PLANTED_KEY not in written, place
        assert PLANTED_KEY[:12] not in written, place
    for place in ("database", "events"):
        assert "about rivets is wrong" in places[place], f"the reason is in the {place}, without the key"
    assert "scripted" in places["files"]
