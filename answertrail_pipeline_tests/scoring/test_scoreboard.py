import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from psycopg.types.json import Jsonb
from sqlalchemy import text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import GoldQuestion
from answertrail_pipeline.judging.judges import judge_of, shapes_replies
from answertrail_pipeline.pipeline.gating import gate_arm
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.scoring.board import Scoreboard, from_board, to_bytes
from answertrail_pipeline.scoring.build import build_scoreboard
from answertrail_pipeline.scoring.gate import GateExit, gate
from answertrail_pipeline.scoring.hypotheses import Hypothesis, Registration
from answertrail_pipeline.scoring.intervals import Resampling
from answertrail_pipeline.scoring.load import metrics_stage
from answertrail_pipeline.scoring.model_checks import check_notes, load_uses
from answertrail_pipeline.scoring.notes import answering, gold_notes, judging
from answertrail_pipeline.scoring.scoreboard import load_scoreboard, scoreboard, scoreboard_stage
from answertrail_pipeline.scoring.source import DatabaseSource
from answertrail_pipeline.scoring.types import CalibrationWord, JudgeUsed, ModelCheck
from answertrail_pipeline.settings import ArmSettings, ModelRole, ScoringSettings, Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.stage_run import run_stage
from answertrail_pipeline.tasks.check_model.check import TaskCheck, store_check
from answertrail_pipeline.tasks.judge import JUDGE
from answertrail_pipeline_tests.scoring.factory import Rows, published_rows
from answertrail_pipeline_tests.scoring.memory import MemorySource
from answertrail_pipeline_tests.scoring.stored import ARM, gold_of, store
from answertrail_pipeline_tests.scoring.test_published_figures import (
    HYBRID_LONGITUDINAL,
    REACT_LONGITUDINAL,
    SINGLE_LONGITUDINAL,
)

HYPOTHESES = """
[[hypothesis]]
id = "loop-helps"
arm = "react"
against = "single"
tier = "longitudinal"
metric = "recall_with_shift"
direction = "higher"

[[hypothesis]]
id = "nobody-ran-it"
arm = "react"
against = "absent"
tier = "longitudinal"
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(config=tmp_path / "answertrail.toml", scoring=ScoringSettings(resamples=300))


@pytest.fixture
def arms() -> list[Rows]:
    return [
        published_rows(HYBRID_LONGITUDINAL, "hybrid"),
        published_rows(REACT_LONGITUDINAL, "react"),
        published_rows(SINGLE_LONGITUDINAL, "single"),
    ]


def test_arms_are_pooled_over_runs_and_compared(database: Database, settings: Settings, arms: list[Rows]) -> None:
    (settings.root / "hypotheses.toml").write_text(HYPOTHESES)
    store(database, arms, policy="auto")
    board = scoreboard(database, "talks", settings)
    react = board.arms[1]
    assert [arm.name for arm in board.arms] == ["hybrid", "react", "single"]
    assert len(react.runs) == 3
    recall = react.metric("longitudinal", "recall")
    assert (recall.hits, recall.total, recall.interval.questions) == (97, 306, 35)
    assert recall.notes == ("judge: uncalibrated (recall)",)
    assert react.notes == ("judge: rule-based",)
    assert board.notes == ("policy: auto (no person decided this gold)",)
    # the range over runs: the hits of the three runs make the pooled number
    by_run = [one for one in react.by_run if one.name == "recall"]
    assert sum(one.hits for one in by_run) == 97
    assert all(one.total == 102 for one in by_run)
    found = {(one.new, one.old, one.metric): one for one in board.comparisons}
    planned = found["react", "single", "recall_with_shift"]
    assert (planned.hypothesis, round(planned.difference, 3)) == ("loop-helps", 0.095)
    assert planned.p_holm == planned.p
    assert found["react", "single", "recall"].hypothesis is None
    assert len(found) == 3 * 5  # recall, with shift, ceiling, conversion, groundedness
    assert [(one.kind, one.id) for one in board.left_out] == [("hypothesis", "nobody-ran-it")]
    assert board.registration.problem == "not under version control"
    assert board.broken_identities == ()
    assert len([one for one in board.findings if one.arm == "react" and one.what == "violation"]) == 12


@pytest.mark.parametrize(
    ("committed", "started", "before"),
    [
        (datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC), True),
        (datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC), False),
        (datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC), False),  # not before
        (None, datetime(2026, 3, 2, tzinfo=UTC), False),
        (datetime(2026, 3, 1, tzinfo=UTC), None, False),  # nobody knows when they began
    ],
)
def test_a_registration_must_be_committed_before_the_runs_that_it_names(
    arms: list[Rows], committed: datetime | None, started: datetime | None, before: bool
) -> None:
    line = Hypothesis(id="h", arm="react", against="single", tier="longitudinal")
    registered = Registration(sha256="ab" * 32, committed_at=committed, hypotheses=(line,))
    source = MemorySource(arms, registered=registered, started=started)
    made = build_scoreboard(source).registration
    assert made is not None
    assert made.before_runs is before


def test_runs_of_other_arms_may_be_older_than_the_registration(arms: list[Rows]) -> None:
    class Later(MemorySource):
        def started_at(self) -> dict[str, datetime]:
            days = {"hybrid": 1, "react": 10, "single": 10}
            return {run.run_key: datetime(2026, 3, days[run.arm], tzinfo=UTC) for run in self.runs()}

    def registered(arm: str) -> Registration:
        line = Hypothesis(id="h", arm=arm, against="single", tier="longitudinal")
        return Registration(sha256="0", committed_at=datetime(2026, 3, 5, tzinfo=UTC), hypotheses=(line,))

    for arm, before in (("react", True), ("hybrid", False)):
        made = build_scoreboard(Later(arms, registered=registered(arm))).registration
        assert made is not None
        assert made.before_runs is before


def test_the_same_rows_give_the_same_bytes(database: Database, settings: Settings, arms: list[Rows]) -> None:
    store(database, arms)
    first = to_bytes(scoreboard(database, "talks", settings))
    assert first == to_bytes(scoreboard(database, "talks", settings))
    assert json.loads(first)["format"] == "answertrail-scoreboard/2"
    assert to_bytes(Scoreboard.model_validate_json(first)) == first


def test_every_number_has_counts_and_an_interval_or_a_reason(
    database: Database, settings: Settings, arms: list[Rows]
) -> None:
    store(database, arms)
    for arm in scoreboard(database, "talks", settings).arms:
        for metric in arm.metrics:
            if metric.value is None:
                assert metric.reason
            else:
                assert metric.total
                assert metric.interval.low is not None or metric.interval.reason
                assert (metric.interval.method == "none") == (metric.interval.low is None)


def test_a_run_that_must_not_be_pooled_is_left_out_with_its_reason(
    database: Database, settings: Settings, arms: list[Rows]
) -> None:
    arms[0].trails[4] = replace(arms[0].trails[4], state="error", error="timeout: no reply")
    store(database, arms)
    board = scoreboard(database, "talks", settings)
    assert [arm.name for arm in board.arms] == ["react", "single"]
    [left] = board.left_out
    assert (left.kind, left.id) == ("run", "talks/hybrid/v1/c1/r1")
    assert left.reason == "talks/hybrid/v1/c1/r1 question q004 is error (timeout: no reply)"


def test_segregated_questions_are_shown_and_in_no_denominator(
    database: Database, settings: Settings, arms: list[Rows]
) -> None:
    trap = Rows("single")
    trap.trail("trap", tier="longitudinal", nuggets=1, question_state="segregated")
    trap.nugget("trap", "n1", "stance", "HIT", "HIT", tier="longitudinal")
    single = arms[2]
    single.trails += trap.trails
    single.verdicts += trap.verdicts
    store(database, [single])
    board = scoreboard(database, "talks", settings)
    assert board.arms[0].metric("longitudinal", "recall").total == 102
    [question] = [one for one in board.questions if one.out]
    assert (question.question_id, question.out, question.cells[0].stated) == ("trap", "segregated", 1)
    assert ("question", "trap") in [(one.kind, one.id) for one in board.left_out]


async def test_the_stage_keeps_the_board_and_stays_idle(
    database: Database, settings: Settings, arms: list[Rows]
) -> None:
    store(database, arms)
    stage = scoreboard_stage(database, "talks", settings)
    assert stage.units() == []  # nothing is scored yet
    with database.begin() as connection:
        keys = list(connection.execute(text("select run_key from runs")).scalars())
    await run_stage(database, metrics_stage(database, settings, keys))
    assert (await run_stage(database, stage)).computed == 1
    assert (await run_stage(database, stage)).computed == 0
    with database.begin() as connection:
        assert to_bytes(load_scoreboard(connection, "talks")) == to_bytes(scoreboard(database, "talks", settings))
    (settings.root / "hypotheses.toml").write_text(HYPOTHESES)
    assert (await run_stage(database, stage)).computed == 1


def test_the_gate_reads_a_scoreboard_file(database: Database, settings: Settings, arms: list[Rows]) -> None:
    store(database, arms)
    board = Scoreboard.model_validate_json(to_bytes(scoreboard(database, "talks", settings)))
    react, single = (
        {one.name: from_board(one) for one in board.arms[place].metrics if one.tier == "longitudinal"}
        for place in (1, 2)
    )
    result = gate("longitudinal", single, react, 0.03, Resampling(0.95, 500), names=("single", "react"))
    assert result.exit is GateExit.PASSED
    assert result.warning
    assert "single 24/102 = 23.5% against react 97/306 = 31.7% over 35 shared questions" in result.sentence


def test_the_gate_takes_an_arm_a_scoreboard_file_or_neither(
    database: Database, settings: Settings, arms: list[Rows], tmp_path: Path
) -> None:
    store(database, arms)
    project = Project(settings, database, door=None)  # type: ignore[arg-type]  # nothing is asked
    path = tmp_path / "earlier.json"
    path.write_bytes(to_bytes(scoreboard(database, "talks", settings)))
    [against_arm] = gate_arm(project, "talks", "single", "react", 0.05)
    assert against_arm.warning
    [against_itself] = gate_arm(project, "talks", "single", str(path), 0.03)
    assert against_itself.exit is GateExit.PASSED
    assert f"against single in {path} (gold v1)" in against_itself.sentence
    path.write_text("{}")
    with pytest.raises(UserError, match="neither a bundle nor a scoreboard"):
        gate_arm(project, "talks", "single", str(path), 0.03)
    with pytest.raises(UserError, match="No arm `nobody`"):
        gate_arm(project, "talks", "single", "nobody", 0.03)


def test_no_runs_is_told_with_the_way_out(database: Database, settings: Settings) -> None:
    with pytest.raises(UserError, match="No runs to score in talks"):
        scoreboard(database, "talks", settings)


def test_an_unknown_gold_version_is_told(database: Database, settings: Settings, arms: list[Rows]) -> None:
    store(database, arms)
    with pytest.raises(UserError, match=r"No runs on gold `v9` in talks\. Gold with runs: v1"):
        scoreboard(database, "talks", settings, "v9")


def test_recall_by_another_judge_stands_beside_ours(
    database: Database, settings: Settings, arms: list[Rows]
) -> None:
    store(database, [arms[0]])
    with database.begin() as connection:
        connection.execute(
            text("insert into judges values ('judge-2', 'openai/gpt-x', 'openai', 'single', 'p', '{}')")
        )
        connection.execute(text("""
            update verdicts set claim = verdict_id;
            insert into verdicts (verdict_id, purpose, claim, claim_kind, text_sha256, judge_id, label, reason)
            select verdict_id || '-2', purpose, claim, claim_kind, text_sha256, 'judge-2', 'HIT', 'so'
            from verdicts where purpose = 'recall'
        """))  # fmt: skip
    [arm] = scoreboard(database, "talks", settings).arms
    [also] = arm.by_other_judges
    assert (also.family, also.recall.hits, also.recall.total) == ("openai", 102, 102)
    assert arm.metric("longitudinal", "recall").hits == 29
    # a judge that saw only a part would be over other nuggets
    with database.begin() as connection:
        connection.execute(text("delete from verdicts where verdict_id ="
                                " (select min(verdict_id) from verdicts where judge_id = 'judge-2')"))  # fmt: skip
    assert scoreboard(database, "talks", settings).arms[0].by_other_judges == ()


def test_six_pairs_with_one_label_leave_the_judge_uncalibrated() -> None:
    """V10, on the side of the numbers: no kappa, the gate not passed, and every number of that purpose says so."""
    word = CalibrationWord("judge-1", "recall", 6, 1.0, None, None, None, False, "no kappa: one label only")
    board = build_scoreboard(MemorySource([published_rows(HYBRID_LONGITUDINAL, "hybrid")], calibrated=[word]))
    recall = board.arms[0].metric("longitudinal", "recall")
    assert recall.notes == ("judge: uncalibrated (recall)",)
    [kept] = board.calibrations
    assert (kept.kappa, kept.agreement, kept.pairs, kept.calibrated) == (None, 1, 6, False)
    assert b"NaN" not in to_bytes(board)


def test_a_calibrated_judge_leaves_no_note_on_that_purpose_only() -> None:
    word = CalibrationWord("judge-1", "recall", 66, 0.94, 0.88, 0.7, 0.97, True)
    board = build_scoreboard(MemorySource([published_rows(HYBRID_LONGITUDINAL, "hybrid")], calibrated=[word]))
    notes = {metric.name: metric.notes for metric in board.arms[0].metrics}
    assert notes["recall"] == notes["recall_macro"] == ()
    assert notes["ceiling"] == ("judge: uncalibrated (ceiling)",)
    assert notes["conversion"] == ("judge: uncalibrated (ceiling)",)


GEMINI = ModelRole(model="gemini/gemini-3-pro", max_output_tokens=900)


def test_what_check_model_found_is_read_with_every_number(arms: list[Rows]) -> None:
    judge = JudgeUsed("judge-2", GEMINI.model, "google", "single", JUDGE.prompt_hash)
    source = MemorySource(arms, judge=judge)
    unchecked = build_scoreboard(source)
    assert f"model {GEMINI.model}: unchecked (judge)" in unchecked.arms[0].notes
    found = ModelCheck(GEMINI.model, "judge", JUDGE.prompt_hash, {}, 27, 30, 0.8124)
    checked = build_scoreboard(replace(source, checked=[found]))
    assert f"model {GEMINI.model}: checked 27/30 judge, kappa 0.81" in checked.arms[0].notes
    of_another_prompt = replace(found, prompt_hash="0" * 64)
    assert build_scoreboard(replace(source, checked=[of_another_prompt])).arms == unchecked.arms
    assert not [note for note in build_scoreboard(MemorySource(arms)).arms[0].notes if note.startswith("model ")]


def test_each_model_of_a_panel_an_agent_and_the_gold_is_named() -> None:
    both = JudgeUsed("panel-1", f"{GEMINI.model} + openai/gpt-5.4", "google+openai", "panel by majority", "f" * 64)
    checks = [ModelCheck("openai/gpt-5.4", "judge", JUDGE.prompt_hash, {}, 30, 30, 1.0)]
    assert check_notes(judging([both]), checks) == [
        "model gemini/gemini-3-pro: unchecked (judge)",
        "model openai/gpt-5.4: checked 30/30 judge, kappa 1.00",
    ]
    agent = ARM.model_copy(
        update={
            "settings": ArmSettings(agent="react", model=GEMINI),
            "prompts": {"next_step": "1" * 64, "write_answer": "2" * 64},
        }
    )
    assert check_notes(answering(agent), []) == ["model gemini/gemini-3-pro: unchecked (write_answer)"]
    assert check_notes(answering(ARM), []) == []
    gold = gold_of([]).model_copy(
        update={
            "reviewers": ("Claude",),
            "questions": tuple(
                GoldQuestion(question_id=name, tier="factual", text="?", state="kept", written_by=name, nuggets=())
                for name in ("Claude", "baseline", "anthropic/claude-sonnet-5")
            ),
        }
    )
    assert gold_notes(gold, []) == ["model anthropic/claude-sonnet-5: unchecked (write_nuggets)"]


def test_every_model_behind_the_gold_and_the_assertions_is_told_with_every_number(arms: list[Rows]) -> None:
    extract, other, cut = "e" * 64, "o" * 64, "a" * 64
    used = [
        ("openai/gpt-5.4", "extract_claims", extract),
        ("openai/old", "extract_claims", other),  # on another prompt than the gold was made with
        ("openai/gpt-5.4", "assertions", cut),
    ]
    checks = [ModelCheck("openai/gpt-5.4", "assertions", cut, {}, 28, 30, None)]
    board = build_scoreboard(MemorySource(arms, used=used[::2], checked=checks))
    assert board.notes == ("model openai/gpt-5.4: checked 28/30 assertions; unchecked (extract_claims)",)
    gold = gold_of([]).model_copy(update={"task_hashes": {"extract_claims": extract}})
    assert gold_notes(gold, checks, used) == list(board.notes)


def test_the_ledger_says_which_models_did_what(database: Database) -> None:
    def call(key: str, **fields: str) -> dict[str, str]:
        made = {"call_key": key, "kind": "chat", "channel": "talks", "task": "extract_claims", "task_version": "1",
                "model": "openai/a", "pool": "p", "prompt_hash": "1", "stage": "claims", "unit_key": "u",
                "state": "done", "request": "{}"}  # fmt: skip
        return {**made, **fields}

    rows = [
        call("1"), call("2"), call("3", task="judge"), call("4", channel="other", model="openai/b"),
        call("5", kind="rules", model="baseline"), call("6", model="openai/c", state="error"),
        call("7", task="next_step"),  # no single reply shows it
    ]  # fmt: skip
    with database.begin() as connection:
        insert_rows(connection, "model_calls", rows)
        assert load_uses(connection, "talks") == [("openai/a", "extract_claims", "1"), ("openai/a", "judge", "1")]
        assert load_uses(connection, "talks", ("extract_claims",)) == [("openai/a", "extract_claims", "1")]


def test_a_check_of_other_parameters_does_not_count(
    database: Database, settings: Settings, arms: list[Rows]
) -> None:
    judge = judge_of(GEMINI)
    with database.begin() as connection:
        store_check(connection, TaskCheck("judge", judge.prompt_hash, 30, 27, 15, 14, {}, 0.5, None), GEMINI)
    source = DatabaseSource(database, "talks", settings)
    [found] = source.checks()
    assert (found.model, found.right, found.items, found.kappa) == (GEMINI.model, 27, 30, 0.5)
    assert found.config == shapes_replies(GEMINI)
    with database.begin() as connection:
        insert_rows(connection, "judges", [
            {"judge_id": "another", "model": GEMINI.model, "family": "google", "mode": "single",
             "prompt_hash": judge.prompt_hash, "config": Jsonb({**judge.config, "temperature": 1.0})}
        ])  # fmt: skip
    assert source.checks() == []
    with database.begin() as connection:
        insert_rows(connection, "judges", [
            {"judge_id": judge.judge_id, "model": GEMINI.model, "family": "google", "mode": "single",
             "prompt_hash": judge.prompt_hash, "config": Jsonb(judge.config)}
        ])  # fmt: skip
    assert source.checks() == [found]
