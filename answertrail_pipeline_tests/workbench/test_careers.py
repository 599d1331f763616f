"""Careers in the workbench: one person's truth with evidence and reasons, promotion, blind audit by language."""

import re
from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.judging.drawing import Design
from answertrail_pipeline.judging.judges import configured_judge
from answertrail_pipeline.judging.pairs import draw_pairs
from answertrail_pipeline.pipeline.channel_pass import Pass
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline.scoring.factnet.audit import AUDITED, load_audited
from answertrail_pipeline.scoring.factnet.kept import load_kept_board
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.pipeline.careers import CHANNEL, little_demo, run
from answertrail_pipeline_tests.workbench.conftest import Enter

HARBOUR = "アマロ港湾局長"
"""Irena Valdo's office from February 1996: in the Japanese directory, in no base."""


@pytest.fixture
def project(database: Database, tmp_path: Path) -> Project:
    """A project whose two careers are scored."""
    made = little_demo(database, tmp_path / "demo")
    run(made, "agent", "no-archive", "memory-only")
    return made


def event_of(page: str, words: str) -> str:
    """Return the part of a person's page that is about one event of the truth."""
    parts = re.findall(r'<li id="e\d+" class="event .*?(?=<li id="e\d+"|<h2>Coded|</main>)', page, re.DOTALL)
    return next(part for part in parts if words in part.split("</h3>")[0])


def test_a_career_shows_truth_arms_evidence_and_why(enter: Enter, project: Project, database: Database) -> None:
    ada = enter("Ada")
    people = ada.get(f"/c/{CHANNEL}/people")
    assert "Irena Valdo" in people
    assert "猪連 波瑠土" in people
    page = ada.get(f"/c/{CHANNEL}/people/s01")
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg"') == 2  # for wide and for narrow screens
    added = event_of(page, HARBOUR)
    assert "added by the pool" in added
    assert "Added because the archive of agent and no-archive supports it" in added
    assert "平成8年 (1996-02)" not in added  # the line says 平成8年2月
    assert "平成8年2月 (1996-02)アマロ港湾局長" in added  # what the judge read
    assert 'class="verdict HIT">HIT</span>' in added
    assert "start month right" in added
    assert "Missed by memory-only." in added
    assert "三嶺人事名鑑" in added
    base = event_of(page, "Mayor, Port Amaro")
    assert "in the frozen base" in base
    assert "sanrei-register" in base
    assert "Promote" not in base
    told = event_of(page, "Member, House of Representatives of Sanrei")
    assert "told by the reference text: in no score" in told
    ada.get(f"/c/{CHANNEL}/people/nobody", 400)


def test_a_person_promotes_and_freezes_and_takes_back(enter: Enter, project: Project, database: Database) -> None:
    ada = enter("Ada")
    added = event_of(ada.get(f"/c/{CHANNEL}/people/s01"), HARBOUR)
    ada.submit(added, "/promote", reason="the directory is official")
    page = ada.get(f"/c/{CHANNEL}/people")
    assert "by Ada: the directory is official" in page
    assert "Freeze the base with 1 promoted event" in page
    before = load_gold(database, CHANNEL)
    assert "The base is gold v2 now." in ada.submit(page, "/people")
    after = load_gold(database, CHANNEL)
    new = {n.nugget_id for q in after.questions for n in q.nuggets} - {
        n.nugget_id for q in before.questions for n in q.nuggets
    }
    assert len(new) == 1
    assert after.gold_version == "v2"
    assert "Ada" in after.reviewers
    # The next run scores on the new base; nobody is asked again, because the questions are the same.
    report = run(project, "agent", "no-archive", "memory-only")
    assert report.board.base_version == "v2"
    asked = [stage for stage in report.done.stages if stage.stage == "agent_runs"]
    with database.begin() as connection:
        adopted = connection.execute(
            text("select count(*) from trails where adopted_from is not null and run_key like '%/v2/%'")
        ).scalar_one()
    assert adopted == sum(stage.units for stage in asked) == 6
    truth = [each for each in report.board.truth["s01"] if HARBOUR in each["event"]["role"]]
    assert [each["origin"] for each in truth] == ["base"]
    # Taken back: the next base is the first one again.
    page = ada.submit(ada.get(f"/c/{CHANNEL}/people"), "/withdraw")
    assert "Take it back" not in page
    assert "No such promotion" in ada.post(f"/c/{CHANNEL}/withdraw", 400, person_id="s01", event="x")
    assert run(project, "agent").board.base_version == "v1"


def test_what_the_base_holds_is_not_promoted(enter: Enter, project: Project) -> None:
    ada = enter("Ada")
    page = ada.get(f"/c/{CHANNEL}/people/s01")
    pool = re.search(r'name="pool_id" value="(\w+)"', page)
    mayor = re.search(r'<li id="e(\d+)" class="event base">\s*<h3>.*?Mayor, Port Amaro', page)
    assert pool
    assert mayor
    fields = {"person_id": "s01", "pool_id": pool[1]}
    assert "The base holds that event already." in ada.post(
        f"/c/{CHANNEL}/promote", 400, ordinal=mayor[1], **fields
    )
    assert "No event 99" in ada.post(f"/c/{CHANNEL}/promote", 400, ordinal="99", **fields)


def test_the_audit_is_drawn_and_labelled_by_purpose_and_language(
    enter: Enter, project: Project, database: Database
) -> None:
    judge = configured_judge(project.settings)
    drawn = draw_pairs(database, CHANNEL, judge, Design(2, 0, AUDITED, by_language=True))
    assert {
        "grounded/biography/HIT/en",
        "grounded/biography/HIT/ja",
        "slot/biography/HIT/fr",
    } <= drawn.strata.keys()
    ada = enter("Ada")
    page = ada.get(f"/c/{CHANNEL}/label?purpose=grounded&language=ja")
    assert "HIT</span>" not in page
    labels = 0
    while 'name="pair_id"' in page:
        assert "Do these passages support this statement?" in page
        page = ada.submit(page, "/label", ("label", "HIT" if labels else "MISS"))
        labels += 1
    assert labels == drawn.strata["grounded/biography/HIT/ja"][1] == 2
    assert "Show all that are left" in page
    with database.begin() as connection:
        pairs = load_audited(connection, CHANNEL, judge.judge_id)
    assert sorted((pair.purpose, pair.language, pair.judge, pair.person) for pair in pairs) == [
        ("grounded", "ja", "HIT", "HIT"),
        ("grounded", "ja", "HIT", "MISS"),
    ]
    # The board is made anew from the labels: 1 of the judge's 2 HITs is wrong, and its rate among MISS is 1 of 1.
    work = Pass(project, CHANNEL, Silent())
    project.run(work.score())
    with database.begin() as connection:
        board = load_kept_board(connection, CHANNEL)
    (row,) = [row for row in board.audits if row.language == "all"]
    assert (row.audit.false_discovery_share.hits, row.audit.false_discovery_share.total) == (1, 2)
    assert (row.audit.false_positive_rate.hits, row.audit.false_positive_rate.total) == (1, 1)
    assert board.by_person.labelled == 2
