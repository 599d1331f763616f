import threading

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DataError, DBAPIError

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.adjudication import (
    AUTO,
    add_nugget,
    conflicts,
    decide,
    split_nugget,
    undo,
    waiting,
)
from answertrail_pipeline.gold.policy_auto import adjudicate_auto
from answertrail_pipeline.hashing import text_sha256
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.gold.channel import CHANNEL, rows
from answertrail_pipeline_tests.gold.made import nuggets, propose, put_pottery, questions, write_nuggets


async def first_question(database: Database, door: Door, settings: Settings) -> str:
    put_pottery(database)
    await propose(database, door, settings)
    return str(questions(database, tier="factual")[0]["question_id"])


def state(database: Database, question_id: str) -> str:
    return str(next(row["state"] for row in questions(database) if row["question_id"] == question_id))


async def test_decisions_are_appended_and_taken_back(database: Database, door: Door, settings: Settings) -> None:
    key = await first_question(database, door, settings)
    before = questions(database)[0]["text"]
    assert decide(database, CHANNEL, "question", key, "cut", "Ada", reason_code="unspecific").state == "cut"
    assert decide(database, CHANNEL, "question", key, "edit", "Ada", new_text="How  much?").state == "cut"
    assert next(r["text"] for r in questions(database) if r["question_id"] == key) == "How much?"
    assert undo(database, CHANNEL, "question", key, "Ada").state == "cut"
    assert next(r["text"] for r in questions(database) if r["question_id"] == key) == before
    assert undo(database, CHANNEL, "question", key, "Ada").state == "proposed"
    with pytest.raises(UserError, match="nothing to undo"):
        undo(database, CHANNEL, "question", key, "Ada")
    log = rows(database, "select decision from adjudications where channel = :channel order by adjudication_id")
    assert [row["decision"] for row in log] == ["cut", "edit", "undo", "undo"]
    with pytest.raises(DBAPIError, match="append-only"), database.begin() as connection:
        connection.execute(text("update adjudications set reviewer = 'nobody'"))


@pytest.mark.parametrize(
    ("decision", "given", "problem"),
    [
        ("maybe", {}, "`maybe` is no decision"),
        ("cut", {}, "A cut needs a reason"),
        ("cut", {"reason_code": "dull"}, "`dull` is no reason code"),
        ("edit", {"new_text": "  "}, "An edit needs the new text"),
        ("keep", {"seen_sha256": text_sha256("another text")}, "has changed since you saw it"),
    ],
)
async def test_what_does_not_fit_is_refused(
    database: Database, door: Door, settings: Settings, decision: str, given: dict[str, str], problem: str
) -> None:
    key = await first_question(database, door, settings)
    with pytest.raises(UserError, match=problem):
        decide(database, CHANNEL, "question", key, decision, "Ada", **given)
    with pytest.raises(UserError, match="No question `fc-none`"):
        decide(database, CHANNEL, "question", "fc-none", "keep", "Ada")
    assert rows(database, "select 1 from adjudications where channel = :channel") == []


async def test_of_two_at_once_nothing_is_lost_and_the_later_sees_the_first(
    database: Database, door: Door, settings: Settings
) -> None:
    key = await first_question(database, door, settings)
    outcomes = {}
    barrier = threading.Barrier(2)

    def work(name: str, decision: str) -> None:
        barrier.wait()
        outcomes[name] = decide(database, CHANNEL, "question", key, decision, name, reason_code="other")

    people = [threading.Thread(target=work, args=pair) for pair in (("Ada", "keep"), ("Ben", "cut"))]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert sorted(len(outcome.newer) for outcome in outcomes.values()) == [0, 1]
    assert {d.reviewer for d in conflicts(database, CHANNEL)[f"question {key}"]} == {"Ada", "Ben"}
    assert waiting(database, CHANNEL)["conflicts"] == 1
    newest = max(outcome.adjudication_id for outcome in outcomes.values())
    decide(database, CHANNEL, "question", key, "keep", "Cy", seen=newest)
    assert conflicts(database, CHANNEL) == {}


async def test_nuggets_are_written_for_kept_questions_only_and_decided_ones_stay(
    database: Database, door: Door, settings: Settings
) -> None:
    key = await first_question(database, door, settings)
    assert (await write_nuggets(database, door, settings)).units == 0
    decide(database, CHANNEL, "question", key, "keep", "Ada")
    assert (await write_nuggets(database, door, settings)).computed == 1
    (nugget,) = nuggets(database)
    assert (nugget["kind"], nugget["written_by"], nugget["state"]) == ("fact", "baseline", "proposed")
    assert nugget["chunk_ids"]
    assert nugget["claim_ids"]
    item = f"{key}/{nugget['nugget_id']}"
    with pytest.raises(DataError):  # the second part cannot be stored, so nothing is
        split_nugget(database, CHANNEL, item, ["The studio sold mugs.", "The market\0 is bigger."], "Ada")
    assert [(row["nugget_id"], row["state"]) for row in nuggets(database)] == [("n1", "proposed")]
    parts = ["The studio sold mugs.", "The market is bigger."]
    assert split_nugget(database, CHANNEL, item, parts, "Ada") == ["n2", "n3"]
    assert [(row["text"], row["state"]) for row in nuggets(database)] == [
        (nugget["text"], "cut"), (parts[0], "kept"), (parts[1], "kept"),
    ]  # fmt: skip
    assert nuggets(database)[1]["claim_ids"] == nugget["claim_ids"]
    decide(database, CHANNEL, "question", key, "edit", "Ada", new_text="What did the studio do?")
    await write_nuggets(database, door, settings)
    assert [row["text"] for row in nuggets(database)] == [
        nugget["text"],
        *parts,
    ]  # the cut one is not proposed again


async def test_longitudinal_nuggets_have_windows_that_can_be_edited(
    database: Database, door: Door, settings: Settings
) -> None:
    put_pottery(database)
    await propose(database, door, settings)
    (question,) = (q for q in questions(database, tier="longitudinal") if q["thread_id"] == "kiln-rent")
    key = question["question_id"]
    decide(database, CHANNEL, "question", key, "keep", "Ada")
    await write_nuggets(database, door, settings)
    made = nuggets(database)
    assert [(n["kind"], n["window_text"]) for n in made] == [
        ("stance", "January 2025"),
        ("stance", "May 2025"),
        ("stance", "September 2025"),
        ("shift", "January 2025 - September 2025"),
    ]
    assert (str(made[0]["window_from"]), str(made[0]["window_to"])) == ("2025-01-01", "2025-01-31")
    decide(
        database, CHANNEL, "nugget", f"{key}/n1", "edit", "Ada", new_text="It was 240.", new_window="early 2025"
    )
    edited = nuggets(database)[0]
    assert (edited["text"], str(edited["window_to"])) == ("It was 240.", "2025-04-30")
    undo(database, CHANNEL, "nugget", f"{key}/n1", "Ada")
    assert (nuggets(database)[0]["window_text"], str(nuggets(database)[0]["window_to"])) == (
        "January 2025",
        "2025-01-31",
    )
    with pytest.raises(UserError, match="is not a time that can be read"):
        decide(database, CHANNEL, "nugget", f"{key}/n1", "edit", "Ada", new_text="x", new_window="some day")
    with pytest.raises(UserError, match="A stance needs the time"):
        add_nugget(database, CHANNEL, key, "stance", "It was dear.", "Ada")


async def test_the_policy_auto_keeps_what_passes_and_is_named(
    database: Database, door: Door, settings: Settings
) -> None:
    put_pottery(database)
    await propose(database, door, settings)
    assert adjudicate_auto(database, CHANNEL, "question") == len(questions(database))
    await write_nuggets(database, door, settings)
    adjudicate_auto(database, CHANNEL, "nugget")
    assert waiting(database, CHANNEL) == {}
    kept = {row["question_id"] for row in questions(database, state="kept")}
    assert kept
    assert kept <= {row["question_id"] for row in nuggets(database) if row["state"] == "kept"}
    reviewers = rows(database, "select distinct reviewer from adjudications where channel = :channel")
    assert [row["reviewer"] for row in reviewers] == [AUTO]
