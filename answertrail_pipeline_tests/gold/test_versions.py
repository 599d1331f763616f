import csv
import json
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.adjudication import decide
from answertrail_pipeline.gold.files import export_gold, import_gold
from answertrail_pipeline.gold.policy_auto import adjudicate_auto
from answertrail_pipeline.gold.trade import ImportRefusedError, export_proposals, import_decisions
from answertrail_pipeline.gold.traps import propose_trap, propose_unanswerable
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.gold.versions import diff_gold, freeze, load_gold
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.gold.channel import CHANNEL, put_video
from answertrail_pipeline_tests.gold.made import nuggets, propose, put_pottery, questions, write_nuggets


async def keep_one(database: Database, door: Door, settings: Settings, tier: str = "factual") -> str:
    """Keep one question and its nuggets, cut every other."""
    put_pottery(database)
    await propose(database, door, settings)
    kept = str(questions(database, tier=tier)[0]["question_id"])
    for row in questions(database):
        if row["question_id"] == kept:
            decide(database, CHANNEL, "question", kept, "keep", "Ada")
        else:
            decide(database, CHANNEL, "question", row["question_id"], "cut", "Ada", reason_code="other")
    await write_nuggets(database, door, settings)
    for row in nuggets(database):
        decide(database, CHANNEL, "nugget", f"{kept}/{row['nugget_id']}", "keep", "Ada")
    return kept


async def test_a_version_holds_everything_and_never_changes(
    database: Database, door: Door, settings: Settings
) -> None:
    key = await keep_one(database, door, settings)
    gold = freeze(database, CHANNEL)
    assert (gold.gold_version, gold.policy, gold.reviewers, gold.as_of) == (
        "v1",
        "people",
        ("Ada",),
        date(2025, 9, 30),
    )
    (question,) = gold.questions
    assert (question.question_id, question.state, question.counts) == (key, "kept", True)
    assert set(question.chunk_ids) <= gold.evidence.keys()
    assert gold.task_hashes["extract_claims"]
    assert freeze(database, CHANNEL) == gold == load_gold(database, CHANNEL) == load_gold(database, CHANNEL, "v1")
    with pytest.raises(UserError, match="No gold version `v9`"):
        load_gold(database, CHANNEL, "v9")
    with pytest.raises(DBAPIError, match="append-only"), database.begin() as connection:
        connection.execute(text("update gold_versions set policy = 'auto'"))

    decide(database, CHANNEL, "nugget", f"{key}/n1", "edit", "Ada", new_text="It was something else.")
    second = freeze(database, CHANNEL)
    assert second.gold_version == "v2"
    difference = diff_gold(gold, second)
    assert (difference.added, difference.removed, difference.changed) == ((), (), (f"{key}/n1",))
    assert diff_gold(gold, gold).is_empty
    with pytest.raises(UserError, match="frozen with another content"):
        freeze(database, CHANNEL, "v1")
    assert load_gold(database, CHANNEL, "v1") == gold


async def test_what_cannot_be_scored_is_refused(database: Database, door: Door, settings: Settings) -> None:
    put_pottery(database)
    await propose(database, door, settings)
    assert load_gold(database, CHANNEL) is None
    with pytest.raises(UserError, match=r"Not everything of talks is decided: \d+ questions"):
        freeze(database, CHANNEL)
    for row in questions(database):
        decide(database, CHANNEL, "question", row["question_id"], "cut", "Ada", reason_code="other")
    with pytest.raises(UserError, match="No question of talks is kept"):
        freeze(database, CHANNEL)
    key = questions(database)[0]["question_id"]
    decide(database, CHANNEL, "question", key, "keep", "Ada")
    with pytest.raises(UserError, match=f"Kept without a nugget: {key}"):
        freeze(database, CHANNEL)


async def test_what_the_policy_kept_is_not_passed_off_as_peoples_work(
    database: Database, door: Door, settings: Settings
) -> None:
    put_pottery(database)
    await propose(database, door, settings)
    adjudicate_auto(database, CHANNEL, "question")
    await write_nuggets(database, door, settings)
    adjudicate_auto(database, CHANNEL, "nugget")
    with pytest.raises(UserError, match="`policy auto` decided on some"):
        freeze(database, CHANNEL)
    assert freeze(database, CHANNEL, policy="auto").policy == "auto"


async def test_a_version_goes_round_through_a_file(
    database: Database, door: Door, settings: Settings, tmp_path: Path
) -> None:
    await keep_one(database, door, settings)
    gold = freeze(database, CHANNEL)
    export_gold(gold, tmp_path / "gold.json")
    first = (tmp_path / "gold.json").read_bytes()
    again = import_gold(database, "other", tmp_path / "gold.json").gold
    assert again.model_copy(update={"channel": CHANNEL}) == gold
    export_gold(gold, tmp_path / "gold.json")
    assert (tmp_path / "gold.json").read_bytes() == first
    (tmp_path / "gold.json").write_bytes(first.replace(b"240", b"241").replace(b"940", b"941"))
    with pytest.raises(UserError, match="was changed since it was exported"):
        import_gold(database, "third", tmp_path / "gold.json")


def test_others_question_lists_are_read(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "nuggets.jsonl"
    line = {
        "qid": "q1",
        "query": "What is glaze?",
        "nuggets": [
            {"text": "Glaze is glass.", "importance": "vital", "assignment": "support"},
            {"text": "It melts.", "importance": "okay", "assignment": "partial_support"},
        ],
    }
    path.write_text(json.dumps(line) + "\n", "utf-8")
    with pytest.raises(UserError, match="does not say up to which day"):
        import_gold(database, CHANNEL, path)
    imported = import_gold(database, CHANNEL, path, as_of=date(2026, 1, 1))
    assert imported.partial == ("q1/n2",)
    assert [n.detail["importance"] for n in imported.gold.questions[0].nuggets] == ["vital", "okay"]

    path.write_text(
        "\n".join([json.dumps(line), "{", '{"qid": "q2", "nuggets": []}', "[1]",
                   '{"qid": "q3", "query": "?", "nuggets": [{}]}', '{"qid": "q4", "query": "?", "nuggets": 5}']),
        "utf-8",
    )  # fmt: skip
    refused = r"line 2: .*JSON.* line 3: 'query' .* line 4: .*object.* line 5: 'text' .* line 6: .*list of nuggets"
    with pytest.raises(UserError, match=refused):
        import_gold(database, "fresh", path, as_of=date(2026, 1, 1))
    assert load_gold(database, "fresh") is None

    plain = tmp_path / "list.csv"
    plain.write_text(
        "question,nugget,tier,kind,window\n"
        "How did the rent change?,It was low.,longitudinal,stance,early 2025\n"
        "How did the rent change?,It rose.,longitudinal,shift,2025\n"
        "What is clay?,Clay is earth.,,,\n",
        "utf-8",
    )
    gold = import_gold(database, CHANNEL, plain, name="mine", as_of=date(2026, 1, 1)).gold
    assert [(q.question_id, q.tier, len(q.nuggets)) for q in gold.questions] == [
        ("q001", "longitudinal", 2), ("q002", "factual", 1),
    ]  # fmt: skip
    assert gold.questions[0].nuggets[0].window_to == date(2025, 4, 30)
    plain.write_text(
        "question,nugget,kind,window\nWhat?,That.,rumour,\nWhen?,Then.,,soonish\n,Lost.,,\nWho?,She.,,2025\n",
        "utf-8",
    )
    with pytest.raises(UserError, match=r"line 2: `rumour`.* line 3: `soonish`.* line 4: it has no question"):
        import_gold(database, CHANNEL, plain, as_of=date(2026, 1, 1))


@pytest.mark.parametrize("ending", ["csv", "md"])
async def test_decisions_go_round_through_a_file(
    database: Database, door: Door, settings: Settings, tmp_path: Path, ending: str
) -> None:
    put_pottery(database)
    await propose(database, door, settings)
    path = tmp_path / f"proposals.{ending}"
    count = export_proposals(database, CHANNEL, path)
    assert count == len(questions(database))
    first, second = questions(database)[0]["question_id"], questions(database)[1]["question_id"]
    fill(path, {first: {"decision": "keep"}, second: {"decision": "cut", "reason_code": "unspecific"}})
    assert import_decisions(database, CHANNEL, path, "Ada") == 2
    states = {row["question_id"]: row["state"] for row in questions(database)}
    assert (states[first], states[second]) == ("kept", "cut")


@pytest.mark.parametrize("ending", ["csv", "md"])
async def test_an_import_that_does_not_fit_changes_nothing(
    database: Database, door: Door, settings: Settings, tmp_path: Path, ending: str
) -> None:
    put_pottery(database)
    await propose(database, door, settings)
    path = tmp_path / f"proposals.{ending}"
    export_proposals(database, CHANNEL, path)
    first, second, third = (row["question_id"] for row in questions(database)[:3])
    decide(database, CHANNEL, "question", second, "edit", "Ben", new_text="Other words?")
    fill(path, {first: {"decision": "keep"}, second: {"decision": "keep"}, third: {"decision": "cut"}})
    path.write_text(path.read_text("utf-8").replace(f"{third}", "fc-unknown", 1), "utf-8")
    with pytest.raises(ImportRefusedError) as refused:
        import_decisions(database, CHANNEL, path, "Ada")
    assert {r.item_id: r.reason for r in refused.value.refused} == {
        second: "its text has changed since the export",
        "fc-unknown": "No question `fc-unknown` in talks",
    }
    assert {row["state"] for row in questions(database)} == {"proposed"}


def fill(path: Path, decisions: dict[str, dict[str, str]]) -> None:
    """Write decisions into an export as a person would."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            found = list(csv.DictReader(file))
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, found[0].keys())
            writer.writeheader()
            writer.writerows({**row, **decisions.get(row["item_id"], {})} for row in found)
        return
    lines, here = [], {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("## "):
            here = decisions.get(line.split()[2], {})
        name = line.removeprefix("- ").partition(":")[0]
        lines.append(f"- {name}: {here[name]}" if line.startswith(f"- {name}:") and name in here else line)
    path.write_text("\n".join(lines) + "\n", "utf-8")


async def test_traps_and_unanswerable_questions_are_asked_and_not_counted(
    database: Database, door: Door, settings: Settings
) -> None:
    for i in (1, 5, 9):
        said = "The kiln shelf is made of 12 bricks in Harwick. The kiln shelf is in Harwick."
        put_video(database, f"v{i}", f"2025-0{i}-01", [said])
    await propose(database, door, settings)
    trap = propose_trap(database, CHANNEL, "kiln-shelf")
    with pytest.raises(UserError, match="`bricks` is spoken of in v1:00000"):
        propose_unanswerable(database, CHANNEL, ["bricks"], "Ada")
    (empty,) = propose_unanswerable(database, CHANNEL, ["tax law"], "Ada")
    adjudicate_auto(database, CHANNEL, "question")
    await write_nuggets(database, door, settings)
    adjudicate_auto(database, CHANNEL, "nugget")
    gold = freeze(database, CHANNEL, policy="auto")
    by_id = {question.question_id: question for question in gold.questions}
    assert [n.kind for n in by_id[trap].nuggets] == ["no_change"]
    assert by_id[empty].nuggets == ()
    assert {by_id[trap].counts, by_id[empty].counts} == {False}
    assert GoldVersion.model_validate(gold.model_dump(mode="json")) == gold
