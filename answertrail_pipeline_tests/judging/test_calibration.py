"""Calibration pairs in a real database: drawn, labelled blind, counted; and whether that is enough."""

import dataclasses
from pathlib import Path

import pytest
from psycopg.types.json import Jsonb
from sqlalchemy import text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.judging.calibration import (
    TRUTH_FILE,
    LabelledPair,
    calibrate,
    calibration_stage,
    calibration_status,
    calibrations,
)
from answertrail_pipeline.judging.drawing import Design
from answertrail_pipeline.judging.judge_pairs import judge_pairs
from answertrail_pipeline.judging.judges import Judge, configured_judge, judge_of
from answertrail_pipeline.judging.pairs import blind_pairs, draw_pairs, store_label
from answertrail_pipeline.judging.types import Label
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.stage_run import run_stage
from answertrail_pipeline_tests.judging.stored import FACT, answered, declare, fact, gold, judge_run, settings
from answertrail_pipeline_tests.models.server import Reply, ScriptedServer

ANSWERS = {
    "fc-1": "The lighthouse is 31 metres tall and was built of granite.",
    "fc-2": "The lighthouse is 40 metres tall.",
    "fc-3": "The lighthouse is white and 31 metres tall.",
}


async def judged_channel(database: Database, door: Door, tmp_path: Path) -> Judge:
    """A run over three questions with two nuggets each, judged by rules: recall HIT 3, MISS 3."""
    run = declare(database)
    questions = [
        fact("The lighthouse is 31 metres tall.", "It was built of granite.", question_id=n).model_copy(
            update={"text": f"{FACT} ({n})"}
        )
        for n in ANSWERS
    ]
    for question in questions:
        answered(database, run, question, ANSWERS[question.question_id])
    version = gold(*questions)
    store_gold(database, version)
    await judge_run(database, door, settings(tmp_path), run, version)
    return configured_judge(settings(tmp_path))


def store_gold(database: Database, version: GoldVersion) -> None:
    row = {
        "channel": version.channel, "gold_version": version.gold_version, "as_of": version.as_of,
        "corpus_id": version.corpus_id, "policy": version.policy,
        "content": Jsonb(version.model_dump(mode="json")), "content_sha256": "0",
    }  # fmt: skip
    with database.begin() as connection:
        insert_rows(connection, "gold_versions", [row])


def judged_pairs(database: Database) -> dict[str, Label]:
    with database.begin() as connection:
        rows = connection.execute(
            text("select pair_id, label from pair_verdicts join verdicts using (verdict_id)")
        ).all()
    return {row.pair_id: row.label for row in rows}


async def test_pairs_are_drawn_by_design_and_seen_blind(database: Database, door: Door, tmp_path: Path) -> None:
    judge = await judged_channel(database, door, tmp_path)
    design = Design(per_stratum=2, controls=2, purposes=("recall",))
    report = draw_pairs(database, "coast", judge, design)
    # Nugget 1: HIT in fc-1 and fc-3; nugget 2 in fc-1 only; the answers of fc-2 and fc-3 say nothing of granite.
    assert report.strata == {"recall/factual/HIT": (3, 2), "recall/factual/MISS": (3, 2)}
    assert report.controls["recall/factual"] >= 1
    again = draw_pairs(database, "coast", judge, design)
    assert again == report
    seen = blind_pairs(database, "coast")
    assert len(seen) == report.pairs
    assert {field.name for field in dataclasses.fields(seen[0])}.isdisjoint(
        {"label", "verdict", "judge", "arm", "run_key", "stratum", "negative_control"}
    )
    with database.begin() as connection:
        weights = connection.execute(
            text(
                "select stratum, weight from calibration_pairs where not negative_control order by stratum, weight"
            )
        ).all()
    # HIT: fc-1 has 2 pairs and fc-3 1, one drawn from each: weights 2 and 1, together the population of 3.
    # MISS: fc-2 has 2 and fc-3 1: the same.
    assert [tuple(row) for row in weights] == [
        ("recall/factual/HIT", 1.0), ("recall/factual/HIT", 2.0),
        ("recall/factual/MISS", 1.0), ("recall/factual/MISS", 2.0),
    ]  # fmt: skip


async def test_labels_make_a_calibration(database: Database, door: Door, tmp_path: Path) -> None:
    judge = await judged_channel(database, door, tmp_path)
    draw_pairs(database, "coast", judge, Design(per_stratum=9, controls=2, purposes=("recall",)))
    said = judged_pairs(database)
    controls = [pair.pair_id for pair in blind_pairs(database, "coast") if pair.pair_id not in said]
    first, *others = sorted(said)
    for pair, label in said.items():
        store_label(database, pair, "ada", label, "as I read it")
    store_label(database, first, "ada", "unsure")  # her last word counts
    for control in controls:
        store_label(database, control, "ada", "MISS")
    await judge_pairs(database, door, judge, "coast")
    made = calibration_status(database, "coast", judge.judge_id, "recall", 0.8)
    assert (made.overall.pairs, made.unsure, made.people) == (5, 1, {"ada": 6})
    assert made.overall.kappa == 1.0
    assert made.calibrated
    # The pair that she is unsure of would at worst be the only disagreement: 5 of 6 agree.
    assert made.worst is not None
    assert made.worst < 1.0
    assert made.best == 1.0
    # The answer of another question may state a nugget all the same, as that of fc-3 states the height.
    judged = judged_pairs(database)
    assert made.controls == (sum(judged[control] == "MISS" for control in controls), len(controls))
    store_label(database, others[0], "ada", "HIT" if said[others[0]] == "MISS" else "MISS", "no, the other way")
    made = calibration_status(database, "coast", judge.judge_id, "recall", 0.8)
    assert made.overall.agreement == pytest.approx(4 / 5)
    assert not made.calibrated
    (difference,) = made.disagreements
    assert difference["reasons"] == {"ada": "no, the other way"}
    assert difference["judge_reason"]
    assert made.words.startswith("judge: uncalibrated (kappa")


async def test_the_stage_is_due_when_a_label_comes(database: Database, door: Door, tmp_path: Path) -> None:
    judge = await judged_channel(database, door, tmp_path)
    configured = settings(tmp_path)
    assert (await run_stage(database, calibration_stage(database, "coast", configured))).units == 0
    draw_pairs(database, "coast", judge, Design(per_stratum=1, controls=0, purposes=("recall",)))
    assert (await run_stage(database, calibration_stage(database, "coast", configured))).computed == 1
    assert (await run_stage(database, calibration_stage(database, "coast", configured))).computed == 0
    store_label(database, blind_pairs(database, "coast")[0].pair_id, "ada", "HIT")
    assert len(blind_pairs(database, "coast", person="ada")) == 1
    assert (await run_stage(database, calibration_stage(database, "coast", configured))).computed == 1
    with database.begin() as connection:
        gate = connection.execute(
            text("select passed, blocking, description from gates where stage = 'calibration'")
        )
        passed, blocking, description = gate.one()
    assert (passed, blocking) == (False, False)
    assert "uncalibrated" in description


async def test_another_judge_is_calibrated_on_the_same_labels(
    database: Database, door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    judge = await judged_channel(database, door, tmp_path)
    draw_pairs(database, "coast", judge, Design(per_stratum=9, controls=1, purposes=("recall",)))
    for pair in blind_pairs(database, "coast"):
        store_label(database, pair.pair_id, "ada", "MISS")
    scripted_server.rule = lambda _call: Reply({"label": "MISS", "reason": "No.", "detail": "not_found"})
    other = judge_of(scripted_server.role())
    made = await judge_pairs(database, door, other, "coast")
    assert len(scripted_server.chats) == len(made) == len(blind_pairs(database, "coast"))
    assert await judge_pairs(database, door, other, "coast") == {}
    by_judge = {one.judge_id: one for one in calibrations(database, "coast", 0.8)}
    strict = by_judge[other.judge_id]
    assert (strict.overall.kappa, strict.reason) == (None, "no kappa: one label only")
    assert not strict.by_verdict  # they were drawn by the other judge's verdicts: no population values
    assert by_judge[judge.judge_id].by_verdict


async def test_labels_of_unknown_pairs_words_and_people_are_refused(
    database: Database, door: Door, tmp_path: Path
) -> None:
    judge = await judged_channel(database, door, tmp_path)
    draw_pairs(database, "coast", judge, Design(per_stratum=1, controls=0))
    pair = blind_pairs(database, "coast")[0].pair_id
    for arguments in [("nowhere", "ada", "HIT"), (pair, "ada", "hit"), (pair, "  ", "HIT")]:
        with pytest.raises(UserError):
            store_label(database, *arguments)
    with pytest.raises(UserError, match="has no verdicts in nowhere"):
        draw_pairs(database, "nowhere", judge)


def pair(n: int, judge: Label | None, *labels: tuple[str, str], control: bool = False) -> LabelledPair:
    return LabelledPair(
        f"p{n}", "recall", "factual", f"q{n}", 1.0, control, True, "It is tall.", judge, "because",
        tuple((person, label, None) for person, label in labels),
    )  # fmt: skip


def test_v10_six_pairs_of_one_label_leave_the_gate_shut() -> None:
    made = calibrate("j", "recall", [pair(n, "HIT", ("ada", "HIT")) for n in range(6)], 0.8)
    assert (made.overall.kappa, made.overall.agreement, made.overall.pairs) == (None, 1.0, 6)
    assert made.words == "judge: uncalibrated (no kappa: one label only; agreement 6/6)"


def test_no_pairs_leave_everything_undefined() -> None:
    made = calibrate("j", "recall", [], 0.8)
    assert (made.overall.kappa, made.worst, made.best, made.calibrated) == (None, None, None, False)
    assert made.words == "judge: uncalibrated (no kappa: no pairs; agreement 0/0)"


def test_two_people_who_differ_leave_a_pair_out_and_are_compared() -> None:
    pairs = [
        pair(1, "HIT", ("ada", "HIT"), ("bo", "HIT")),
        pair(2, "MISS", ("ada", "MISS"), ("bo", "MISS")),
        pair(3, "HIT", ("ada", "HIT"), ("bo", "MISS")),
        pair(4, "MISS", ("ada", "unsure"), ("bo", "MISS")),
        pair(5, None, ("ada", "HIT"), ("bo", "HIT")),
        pair(6, "HIT"),
        pair(7, "MISS", ("ada", "MISS"), control=True),
    ]
    made = calibrate("j", "recall", pairs, 0.8)
    assert (made.overall.pairs, made.unsure, made.split, made.unscored, made.unlabelled) == (2, 1, 1, 1, 1)
    between = made.between_people["ada and bo"]
    # Pairs 1, 2, 3 and 5 have two sure labels; they differ on one.
    assert (between.pairs, between.agreement) == (4, 0.75)
    assert made.controls == (1, 1)


def test_labels_of_a_truth_file_say_so() -> None:
    pairs = [pair(n, "HIT" if n % 2 else "MISS", (TRUTH_FILE, "HIT" if n % 2 else "MISS")) for n in range(8)]
    assert calibrate("j", "recall", pairs, 0.8).words == (
        "judge: calibrated (kappa 1.00, agreement 8/8, truth file, not a person)"
    )
