"""What `answertrail plan` says of judging careers, before anything was coded and once it was."""

import shutil
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.agents.runs import list_runs
from answertrail_pipeline.gold.biographies.base import base_events
from answertrail_pipeline.gold.biographies.people import load_people
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.judging.events import EventJudge, judge_same_events
from answertrail_pipeline.judging.judges import configured_judge
from answertrail_pipeline.language.career_events import event_from_json
from answertrail_pipeline.models.dry import DryDoor
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.pipeline.plan import plan_channel
from answertrail_pipeline.pipeline.planned import Planned
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.scoring.factnet.matchers import event_pair
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.models.server import Reply, ScriptedServer
from answertrail_pipeline_tests.pipeline.careers import CHANNEL, little_demo, open_little, run

KEPT = ("same_events", "verdicts", "judged_texts", "judges", "model_calls")


@pytest.fixture
def project(database: Database, tmp_path: Path) -> Iterator[Project]:
    made = little_demo(database, tmp_path / "demo")
    yield made
    shutil.rmtree(made.settings.root)


def with_paid_judge(project: Project, server: ScriptedServer) -> Project:
    """Return the same project with a judge that costs money."""
    config = project.settings.config
    config.write_text(
        config.read_text("utf-8")
        + '\n[models.prices."openai/scripted"]\ninput_per_million = 10\noutput_per_million = 20\n'
        + f'[models.judge]\nmodel = "openai/scripted"\napi_base = "{server.url}"\nmax_output_tokens = 100\n',
        "utf-8",
    )
    return open_little(project.database, config)


def plan(project: Project) -> dict[str, Planned]:
    return {line.what: line for line in project.run(plan_channel(project, CHANNEL))}


def counts(database: Database) -> dict[str, int]:
    with database.begin() as connection:
        return {name: connection.execute(text(f"select count(*) from {name}")).scalar_one() for name in KEPT}


def plan_for_a_paid_judge(project: Project, server: ScriptedServer) -> dict[str, Planned]:
    """Plan the judging by a paid judge, which asks nobody and keeps nothing."""
    paid = with_paid_judge(project, server)
    before = counts(project.database)
    lines = plan(paid)
    assert counts(project.database) == before
    assert server.calls == []
    return lines


def test_the_base_is_priced_to_the_call_and_what_is_not_coded_is_said_to_be_open(
    project: Project, database: Database, scripted_server: ScriptedServer
) -> None:
    run(project, "memory-only")
    lines = plan_for_a_paid_judge(project, scripted_server)
    with database.begin() as connection:
        people = load_people(connection, CHANNEL)
    gold = load_gold(database, CHANNEL)
    told = [
        event for each in gold.questions if people[each.question_id].reference for event in base_events(each)
    ]  # fmt: skip
    base = lines["judge: base"]
    # Every event of the base is asked about once with its year, and once more where the rules call that a MISS.
    assert len(told) <= base.calls <= 2 * len(told)
    assert 0 < base.cost.low_usd < base.cost.high_usd
    # A reply of at most 100 tokens at $20 a million: $0.002 a call between the two ends, and 1.3 x the prompt's.
    assert base.cost.high_usd - base.cost.low_usd >= base.calls * Decimal("0.002")
    assert lines["judge: careers to code"].units is None


def test_rehearsing_a_coded_career_prices_the_judge_and_keeps_nothing(
    project: Project, database: Database, scripted_server: ScriptedServer
) -> None:
    run(project, "agent-no-reference")
    lines = plan_for_a_paid_judge(project, scripted_server)
    assert lines["verdicts"].units == 2
    assert lines["verdicts"].calls > 0
    assert lines["pools"].units is None  # they wait for the verdicts


def test_what_a_rehearsal_says_of_two_events_is_not_kept(
    project: Project, database: Database, scripted_server: ScriptedServer
) -> None:
    run(project, "memory-only")
    with database.begin() as connection:
        person = load_people(connection, CHANNEL)["s01"]
    a, b = (
        event_from_json({"role": role, "organization": "Harbour", "start": "2010", "lang": lang})
        for role, lang in (("Warden", "en"), ("Gardienne", "fr"))
    )
    pairs = {event_pair(a, b): (a, b)}
    paid = with_paid_judge(project, scripted_server)
    door = DryDoor(database, paid.settings)
    said = paid.run(judge_same_events(asker(paid, door), person, pairs))
    assert set(said.words) == set(pairs)
    assert len(door.planned) == 1
    with database.begin() as connection:
        assert connection.execute(text("select count(*) from same_events")).scalar() == 0
    free = project.run(judge_same_events(asker(project), person, pairs))
    with database.begin() as connection:
        free.store(connection)
    again = project.run(judge_same_events(asker(project), person, pairs))
    assert (again.words, dict(again.judged)) == (free.words, {})


def asker(project: Project, door: DryDoor | None = None) -> EventJudge:
    judge = configured_judge(project.settings)
    return EventJudge(project.database, door or project.door, judge, Account(CHANNEL, "pools", "x"))


def test_the_past_gives_a_range(project: Project, database: Database, scripted_server: ScriptedServer,
                                monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setattr("answertrail_pipeline.pipeline.plan_careers.ENOUGH", 2)
    scripted_server.rule = lambda _call: Reply({"reason": "It says so.", "label": "HIT"})
    paid = with_paid_judge(project, scripted_server)
    report = run(paid, "agent-no-reference")
    assert not report.errors
    (key,) = (each.run_key for each in list_runs(database, CHANNEL))
    with database.begin() as connection:
        took = connection.execute(
            text("select unit_key, sum(cost_usd) as dollars from model_calls where run_key = :run"
                 " and kind = 'chat' group by unit_key"), {"run": key},
        ).all()  # fmt: skip
    line = plan(paid)["judge: careers to code"]
    assert {row.unit_key for row in took} == {f"{key}/s01", f"{key}/s03"}
    assert line.cost.low_usd == 0
    assert line.units is not None
    assert line.cost.high_usd == line.units * max(row.dollars for row in took) > 0
