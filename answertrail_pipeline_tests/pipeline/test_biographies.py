"""Careers from documents to a scoreboard, on rules and a real database: strategies, pools, people who leave."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.agents.biographies import read_answer
from answertrail_pipeline.agents.runs import load_run
from answertrail_pipeline.agents.trails import load_trail
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.biographies.people import load_people, read_people
from answertrail_pipeline.gold.biographies.removal import remove_person
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.pipeline.channel_pass import Pass
from answertrail_pipeline.pipeline.politnuggets import run_politnuggets
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.run import evaluate_channels
from answertrail_pipeline.pipeline.stages import stage_of_run
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline.reporting.biographies import html, markdown
from answertrail_pipeline.scoring.factnet.consolidate import consolidate
from answertrail_pipeline.scoring.factnet.kept import load_kept_board
from answertrail_pipeline.scoring.factnet.stage import declare_pool, declared_set
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import run_stage
from answertrail_pipeline_tests.pipeline.careers import CHANNEL, little_demo, open_little, run


@pytest.fixture
def project(database: Database, tmp_path: Path) -> Iterator[Project]:
    made = little_demo(database, tmp_path / "demo")
    yield made
    shutil.rmtree(made.settings.root)


def test_from_documents_to_a_scoreboard_and_nothing_twice(project: Project) -> None:
    arms = ("agent", "agent-no-reference", "no-archive", "short-archive", "long-pages", "memory-only")
    report = run(project, *arms)
    assert not report.errors
    board = report.board
    rows = {(row.arm, row.region): row for row in board.rows}
    agent, memory = rows["agent-no-reference", "all"], rows["memory-only", "all"]
    assert agent.levels["event"].counts.tp >= 8
    assert memory.levels["event"].counts == type(memory.levels["event"].counts)(0, 0, agent.truth)
    assert memory.levels["event"].precision.value is None
    for row in board.rows:
        for level in ("attribute",):
            assert row.levels[level].counts.tp <= row.levels["event"].counts.tp
        assert row.truth == agent.truth or row.region != "all"
    # Valdo's years at the harbour board are in the Japanese directory and in no base: an addition to the truth.
    added = [each for each in board.truth["s01"] if each["origin"] == "pooled"]
    assert any(each["event"]["start"] == "1996-02" for each in added)
    # The namesake's mayoralty of Lower Kelp never enters.
    assert not any("Kelp" in each["event"]["organization"] for each in board.truth["s01"])
    # What the reference tells is in no denominator.
    assert any(each["covered"] for each in board.truth["s01"])
    again = run(project, *arms)
    assert again.done.computed == 0
    assert again.board == board


def test_the_trail_holds_an_archive_apart_from_what_was_seen(project: Project, database: Database) -> None:
    report = run(project, "agent-no-reference", "no-archive")
    key = next(key for key in report.runs if "/agent-no-reference/" in key)
    trail = load_trail(database, key, "s01").trail
    kept = {chunk.hit.video_id for chunk in trail.retrieved if chunk.kept}
    assert kept == {"gazette-s01", "courrier-s01", "meikan-s01"}
    assert any(not chunk.kept for chunk in trail.retrieved)
    queries = [event["query"] for event in trail.events if event["kind"] == "search_started"]
    assert any("猪連 波瑠土" in query for query in queries)  # the local script
    assert any("Irena Valdo" in query for query in queries)
    starts = {event.event().start for event in read_answer(trail.answer).events}
    assert {"1996-02", "2000", "2010-03"} <= {str(start) for start in starts}  # 平成8年2月, 同12年, March 2010
    silent = load_trail(database, next(key for key in report.runs if "/no-archive/" in key), "s01").trail
    assert not any(event.chunk_ids for event in read_answer(silent.answer).events)
    assert any(chunk.kept for chunk in silent.retrieved)


def test_a_budget_ends_in_a_coded_answer(project: Project, database: Database) -> None:
    config = project.settings.config
    small = config.read_text("utf-8").replace('{ strategy = "agent" }', '{ strategy = "agent", max_calls = 3 }')
    config.write_text(small, "utf-8")
    report = run(open_little(database, config), "agent-no-reference")
    assert not report.errors
    trail = load_trail(database, report.runs[0], "s03").trail
    assert trail.model_calls <= 3
    assert trail.budget_exhausted
    assert read_answer(trail.answer).events


def test_a_new_arm_makes_a_new_pool_and_the_old_numbers_keep_theirs(project: Project, database: Database) -> None:
    first = run(project, "agent-no-reference")
    second = run(project, "agent-no-reference", "no-archive")
    assert first.pool_id != second.pool_id
    gold = load_gold(database, CHANNEL)
    assert declare_pool(database, project.settings, gold, first.runs).pool_id == first.pool_id
    with database.begin() as connection:
        asked = connection.execute(text("select count(*) from same_events")).scalar()
        pairs = connection.execute(
            text("select count(distinct (first_hash, second_hash)) from same_events")
        ).scalar()
    assert asked == pairs
    with pytest.raises(UserError, match="No run"):
        declare_pool(database, project.settings, gold, ["sanrei/nobody/v1/c1/r1"])


def test_a_taker_without_its_donor_is_refused(project: Project) -> None:
    with pytest.raises(UserError, match="donor"):
        run(project, "short-archive")


def test_a_person_can_be_removed(project: Project, database: Database) -> None:
    run(project, "agent-no-reference")
    with database.begin() as connection:
        assert remove_person(connection, CHANNEL, "s01") > 1
        assert set(load_people(connection, CHANNEL)) == {"s03"}
        for table in ("trails", "coded_events", "pool_events", "biography_scores", "base_coverage", "assertions"):
            left = connection.execute(text(f"select count(*) from {table} where question_id = 's01'")).scalar()
            assert left == 0, table
        with pytest.raises(UserError, match="No person"):
            remove_person(connection, CHANNEL, "s01")
        # Nothing that was asked or said names the person any more; of calls only the cost stays.
        calls = connection.execute(
            text("select count(*), count(*) filter (where reply is null and request::text = '{}') from model_calls"
                 " where right(unit_key, 4) = '/s01'")
        ).one()  # fmt: skip
        assert calls[0] == calls[1] > 0
        assert connection.execute(text("select count(*) from biography_boards")).scalar() == 0
        said = connection.execute(text("select count(*) from verdicts where claim like 'Irena Valdo%'")).scalar()
        assert said == 0
    assert {question.question_id for question in load_gold(database, CHANNEL).questions} == {"s03"}


def test_the_report_escapes_what_is_not_ours(project: Project) -> None:
    path = project.settings.root / "people.jsonl"
    path.write_text(
        path.read_text("utf-8").replace(
            '"Mayor", "organization": "Port Amaro"', '"Mayor", "organization": "<script>x</script>"'
        ),
        "utf-8",
    )
    board = run(project, "agent-no-reference").board
    assert "<script>" not in html(board)
    assert "&lt;script&gt;" in html(board)
    assert board.pool_id[:12] in markdown(board)


def test_people_from_csv_in_the_shape_of_whogov(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text(
        "name,native_name,country,region,office\n"
        "Han Doyun,한도윤,South Korea,,Minister of Justice\nJo Roe,,United States,,\n",
        "utf-8",
    )
    han, roe = sorted(read_people(file), key=lambda person: person.name)
    assert (han.names, han.region, han.languages) == (
        (("Han Doyun", "en"), ("한도윤", "ko")),
        "Non-US",
        ("en", "ko"),
    )
    assert roe.region == "US"
    assert "한도윤" in han.question
    file.write_text("name,country\n,France\n", "utf-8")
    with pytest.raises(UserError, match="row 1"):
        read_people(file)


def test_careers_flow_through_the_same_stages_and_prose_arms_stay_away(
    project: Project, database: Database
) -> None:
    run(project, "agent-no-reference")
    config = project.settings.config
    prose = (
        '\n[arms.prose]\nagent = "single_shot"\nmodel = { model = "baseline" }\nretriever = { kind = "bm25" }\n'
    )
    config.write_text(config.read_text("utf-8") + prose, "utf-8")
    again = open_little(database, config)
    with pytest.raises(UserError, match="no questions to answer in prose for the arm `prose`"):
        again.run(evaluate_channels(again, [CHANNEL], Silent(), ("prose",), 1))
    (report,) = again.run(evaluate_channels(again, [CHANNEL], Silent(), ("agent-no-reference", "memory-only"), 1))
    assert not report.errors
    with database.begin() as connection:
        assert declared_set(connection, CHANNEL) == (
            "v1", tuple(f"sanrei/{arm}/v1/c1/r1" for arm in ("agent-no-reference", "memory-only")),
        )  # fmt: skip
        states = connection.execute(
            text("select stage, count(*) as units, bool_and(state = 'done') as done from stage_run"
                 " where key like 'sanrei/agent-no-reference/%' group by stage order by stage")
        ).all()  # fmt: skip
        metrics = connection.execute(
            text("select metric, hits, total, value from metrics where run_key like '%/memory-only/%'"
                 " and metric like 'event%' order by metric")
        ).all()  # fmt: skip
        claims = connection.execute(
            text("select text, cited_chunk_ids from assertions where run_key like '%/agent-no-reference/%'"
                 " and question_id = 's01' order by ordinal")
        ).all()  # fmt: skip
        kept = load_kept_board(connection, CHANNEL)
    assert [tuple(row) for row in states] == [
        ("agent_runs", 2, True), ("assertions", 2, True), ("metrics", 1, True), ("verdicts", 2, True),
    ]  # fmt: skip
    truth = sum(
        len([e for e in events if e["origin"] == "base" and not e["covered"]]) for events in kept.truth.values()
    )
    assert [tuple(row) for row in metrics] == [
        ("event_f1", 0, truth, 0), ("event_f1_macro", None, None, 0), ("event_precision", 0, 0, None),
        ("event_recall", 0, truth, 0),
    ]  # fmt: skip
    assert any("アマロ港湾局長" in row.text and row.cited_chunk_ids for row in claims)
    assert (project.settings.data_dir / "reports" / CHANNEL / "politnuggets.html").exists()


def test_a_failed_person_scores_zero_and_keeps_its_cost(project: Project, database: Database) -> None:
    report = run(project, "agent-no-reference")
    (key,) = report.runs
    with database.begin() as connection:
        connection.execute(
            text("update trails set state = 'error', error = 'schema: no' where question_id = 's01'")
        )
        connection.execute(
            text(
                "update stage_run set state = 'error', output_hash = null"
                " where key = :key and stage = 'agent_runs'"
            ),
            {"key": f"{key}/s01"},
        )
        connection.execute(
            text("delete from stage_run where stage in ('verdicts', 'assertions') and key like '%/s01'")
        )
        connection.execute(text("delete from coded_events where question_id = 's01'"))
        gold = load_gold(database, CHANNEL)
    run_ = load_run(database, key)
    project.run(run_stage(database, stage_of_run(project, "metrics", run_)))
    work = Pass(project, CHANNEL, Silent())
    project.run(work.score())
    with database.begin() as connection:
        board = load_kept_board(connection, CHANNEL)
    (row,) = [row for row in board.rows if row.region == "all"]
    assert row.failed == 1
    assert row.persons == len(gold.questions) == 2
    lost = [e for e in board.truth["s01"] if not e["covered"]]
    assert row.levels["event"].counts.fn >= len(lost) > 0
    (effort,) = board.efficiency
    assert effort.failed == 1
    assert effort.spreads["searches"].mean > 0


def test_a_run_of_another_judge_is_not_pooled(project: Project, database: Database) -> None:
    run(project, "agent-no-reference")
    with database.begin() as connection:
        connection.execute(text("update verdicts set judge_id = 'another' where purpose = 'slot'"))
        connection.execute(text("delete from stage_run where stage = 'pools'"))
    work = Pass(project, CHANNEL, Silent())
    project.run(work.score(["pools"]))
    (pools,) = work.report.stages
    assert pools.blocked == pools.units == 2


def test_people_without_a_base_get_one_from_the_runs(project: Project, database: Database) -> None:
    root = project.settings.root
    people = read_people(root / "people.jsonl")
    lines = ["name,Native Name,country,region,office,person_id"]
    lines += [f'{p.name},{p.names[1][0]},{p.country},{p.region},"{p.office}",{p.person_id}' for p in people]
    (root / "people.csv").write_text("\n".join(lines) + "\n", "utf-8")
    arms = ("agent-no-reference", "memory-only", "no-archive")
    report = project.run(run_politnuggets(project, CHANNEL, root / "people.csv", arms))
    truth = [each for events in report.board.truth.values() for each in events]
    assert {each["origin"] for each in truth} == {"pooled"}
    assert report.board.rows[0].frozen["event"].counts.tp == 0
    gold = consolidate(database, project.settings, CHANNEL, at_least=2)
    assert gold.gold_version == "v2"
    (again,) = project.run(evaluate_channels(project, [CHANNEL], Silent(), arms, 1))
    assert not again.errors
    with database.begin() as connection:
        board = load_kept_board(connection, CHANNEL)
    assert board.base_version == "v2"
    assert board.base_note.startswith("consolidated from at least 2 of 3 runs: sanrei/agent-no-reference/v1/")
    assert "favours the arms it was made from" in markdown(board)
    origins = [each["origin"] for events in board.truth.values() for each in events]
    assert origins.count("base") > 10
    with pytest.raises(UserError, match="3 runs are declared, not 4"):
        consolidate(database, project.settings, CHANNEL, at_least=4)
