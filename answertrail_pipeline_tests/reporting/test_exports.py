import json
import zipfile
from dataclasses import replace
from pathlib import Path

import ir_measures
import pytest
from ir_measures import R

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.reporting.bundle import export_bundle, rescore, write_bundle
from answertrail_pipeline.reporting.exports import export_files
from answertrail_pipeline.reporting.nuggetizer import assignment_lines, nugget_lines, read_assignments
from answertrail_pipeline.reporting.trec import Ranked, qrels_lines, run_lines
from answertrail_pipeline.scoring.board import to_bytes
from answertrail_pipeline.scoring.build import build_scoreboard
from answertrail_pipeline.scoring.scoreboard import scoreboard
from answertrail_pipeline.scoring.types import JudgeUsed
from answertrail_pipeline.settings import ScoringSettings, Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.scoring.factory import Rows, published_rows
from answertrail_pipeline_tests.scoring.memory import MemorySource
from answertrail_pipeline_tests.scoring.stored import gold_of, store
from answertrail_pipeline_tests.scoring.test_correction import published_pairs
from answertrail_pipeline_tests.scoring.test_published_figures import HYBRID_LONGITUDINAL, SINGLE_LONGITUDINAL


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(config=tmp_path / "answertrail.toml", scoring=ScoringSettings(resamples=100))


def two_arms() -> list[Rows]:
    return [published_rows(HYBRID_LONGITUDINAL, "hybrid"), published_rows(SINGLE_LONGITUDINAL, "single")]


def test_a_bundle_gives_the_same_bytes_without_database_or_model(
    database: Database, settings: Settings, tmp_path: Path
) -> None:
    arms = two_arms()
    arms[1].trails[2] = replace(arms[1].trails[2], state="error", error="timeout")
    store(database, arms)
    path = tmp_path / "bundle.zip"
    export_bundle(database, "talks", settings, path)
    expected = to_bytes(scoreboard(database, "talks", settings))
    database.engine.dispose()
    again = rescore(path)
    assert again.same
    assert to_bytes(again.board) == expected
    assert [one.kind for one in again.board.left_out] == ["run"]


def test_a_bundle_carries_labels_costs_settings_and_other_judges(tmp_path: Path) -> None:
    other = JudgeUsed("judge-2", "openai/gpt-x", "openai", "single", "p")
    how = ScoringSettings(resamples=100, confidence=0.9)
    source = MemorySource(two_arms(), scoring=how, pairs=published_pairs(), other=(other, "HIT"))
    board = build_scoreboard(source)
    assert board.corrections
    assert board.arms[0].by_other_judges[0].recall.value == 1.0
    write_bundle(source, board, tmp_path / "bundle.zip", {})
    again = rescore(tmp_path / "bundle.zip")
    assert again.same
    assert again.board.confidence == 0.9
    assert again.board.arms[0].metric("longitudinal", "cost_usd").value == 0.05


def test_a_bundle_holds_the_words_for_people(database: Database, settings: Settings, tmp_path: Path) -> None:
    store(database, [published_rows(HYBRID_LONGITUDINAL, "hybrid")])
    export_bundle(database, "talks", settings, tmp_path / "bundle.zip")
    with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
        answers = [json.loads(line) for line in archive.read("words/answers.jsonl").splitlines()]
        judged = archive.read("words/judged.jsonl").splitlines()
    assert answers[0]["answer"] == "An answer."
    assert answers[0]["retrieved"] == ["v1:00000", "v1:00030"]
    # 102 stances with recall and ceiling, 35 shifts, 511 assertions
    assert len(judged) == 2 * 102 + 35 + 511


def test_the_same_rows_make_the_same_bundle(tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        source = MemorySource(two_arms(), scoring=ScoringSettings(resamples=100))
        write_bundle(source, build_scoreboard(source), tmp_path / name, {})
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_a_changed_bundle_is_refused_by_name(tmp_path: Path) -> None:
    source = MemorySource(two_arms()[:1], scoring=ScoringSettings(resamples=100))
    write_bundle(source, build_scoreboard(source), tmp_path / "bundle.zip", {})
    with zipfile.ZipFile(tmp_path / "bundle.zip") as old, zipfile.ZipFile(tmp_path / "changed.zip", "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, content.replace(b"HIT", b"MISS") if "verdicts" in name else content)
    with pytest.raises(UserError, match=r"scored/verdicts/0\.jsonl in .* is not what the manifest says"):
        rescore(tmp_path / "changed.zip")


@pytest.mark.parametrize("content", [b"", b"no zip at all"])
def test_what_is_no_bundle_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file.zip").write_bytes(content)
    with pytest.raises(UserError, match="Cannot read"):
        rescore(tmp_path / "file.zip")


def test_a_zip_of_something_else_is_told(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "file.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(UserError, match="no bundle"):
        rescore(tmp_path / "file.zip")


def small() -> Rows:
    rows = Rows("single")
    rows.trail("q 1", tier="longitudinal", nuggets=3)
    rows.nugget("q 1", "n1", "stance", "HIT", "HIT", tier="longitudinal")
    rows.nugget("q 1", "n2", "stance", "MISS", "HIT", tier="longitudinal")
    rows.nugget("q 1", "n3", "shift", None, tier="longitudinal")
    rows.trail("trap", tier="longitudinal", nuggets=1, question_state="segregated")
    rows.nugget("trap", "n1", "stance", "HIT", "HIT", tier="longitudinal")
    return rows


def test_nuggetizer_lines_read_back() -> None:
    rows = small()
    gold = gold_of([rows])
    [line] = nugget_lines(gold)
    assert json.loads(line) == {
        "query": "What of q 1?",
        "qid": "q 1",
        "nuggets": [
            {"nugget_id": "n1", "text": "nugget n1", "importance": "vital"},
            {"nugget_id": "n2", "text": "nugget n2", "importance": "vital"},
            {"nugget_id": "n3", "text": "nugget n3", "importance": "okay"},
        ],
    }
    lines = list(assignment_lines(gold, "run", {"q 1": "Two words"}, rows.verdicts))
    assert json.loads(lines[0])["response_length"] == 2
    # the unscored shift has no assignment: no label is guessed
    assert [(one.text, one.vital, one.label) for one in read_assignments(lines)] == [
        ("nugget n1", True, "HIT"),
        ("nugget n2", True, "MISS"),
    ]


def test_partial_support_of_others_is_a_strict_miss() -> None:
    nugget = {"text": "t", "importance": "okay", "assignment": "partial_support"}
    [one] = read_assignments([json.dumps({"qid": "q", "run_id": "r", "nuggets": [nugget]}), "\n"])
    assert (one.label, one.vital, one.run_id) == ("MISS", False, "r")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("not json", "Line 1 is no nuggetizer record"),
        ('{"qid": "q"}', "Line 1 lacks or does not know 'nuggets'"),
        ('{"qid": "q", "nuggets": [{"text": "t", "importance": "vital", "assignment": "perhaps"}]}', "'perhaps'"),
        ("[1]", "Line 1 is no nuggetizer record"),
    ],
)
def test_lines_that_are_no_assignments(line: str, problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        read_assignments([line])


def test_ir_measures_reads_run_and_qrels(tmp_path: Path) -> None:
    gold = gold_of([small()])  # cites v1:00000 and v2:00030; the trap is not judged
    retrieved = [
        Ranked("q 1", "v9:00000", 1, 1),
        Ranked("q 1", "v1:00000", 1, 2),
        Ranked("q 1", "v2:00030", 2, 1),
    ]
    (tmp_path / "qrels.txt").write_text("".join(qrels_lines(gold)))
    (tmp_path / "run.txt").write_text("".join(run_lines("talks/single/v1/c1/r1", retrieved)))
    qrels = list(ir_measures.read_trec_qrels(str(tmp_path / "qrels.txt")))
    run = list(ir_measures.read_trec_run(str(tmp_path / "run.txt")))
    assert [(one.query_id, one.doc_id) for one in qrels] == [("q%201", "v1:00000"), ("q%201", "v2:00030")]
    # one of two in the first two places, both in the first three
    found = ir_measures.calc_aggregate([R @ 2, R @ 3], qrels, run)
    assert (found[R @ 2], found[R @ 3]) == (0.5, 1.0)


def test_all_files_are_written(database: Database, settings: Settings, tmp_path: Path) -> None:
    store(database, [published_rows(HYBRID_LONGITUDINAL, "hybrid")])
    written = export_files(database, "talks", settings, tmp_path / "out")
    assert sorted(path.relative_to(tmp_path / "out").as_posix() for path in written) == [
        "assignments/hybrid.v1.c1.r1.jsonl",
        "nuggets.jsonl",
        "qrels.txt",
        "runs/hybrid.v1.c1.r1.txt",
    ]
    assigned = read_assignments(
        (tmp_path / "out" / "assignments" / "hybrid.v1.c1.r1.jsonl").read_text().splitlines()
    )
    vital = [one for one in assigned if one.vital]
    # their strict vital score pooled is our headline recall
    assert (sum(one.label == "HIT" for one in vital), len(vital)) == (29, 102)
