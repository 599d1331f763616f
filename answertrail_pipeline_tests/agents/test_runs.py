"""A run's stage: what is asked, what is adopted, what fails, what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from answertrail_pipeline.agents.runs import (
    Run,
    agent_runs_stage,
    arm_hash,
    declare_run,
    list_runs,
    load_run,
    run_unit_key,
)
from answertrail_pipeline.agents.trails import load_trail, load_trails
from answertrail_pipeline.corpus.snapshot import snapshot
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import StageReport, run_stage
from answertrail_pipeline_tests.agents import little
from answertrail_pipeline_tests.agents.little import CHANGE, CHANNEL, FACT, gold, settings

ANSWERS = [
    {"question_id": "q1", "answer": "It is 31 m [jan:00000].", "retrieved": ["jan:00000", "jun:00030"]},
    {"question_id": "q2", "answer": "He trusts it now [nov:00000].", "retrieved": ["nov:00000"]},
]


def write_answers(root: Path, answers: list[dict[str, Any]] = ANSWERS) -> None:
    (root / "answers.jsonl").write_text("\n".join(json.dumps(row) for row in answers))


def from_file(root: Path, **more: Any) -> Any:
    return settings(root, agent="external", endpoint="file:answers.jsonl", family="acme", **more)


def declare(door: Door, given: Any, version: GoldVersion, **more: Any) -> Run:
    corpus = snapshot(door.database, CHANNEL)
    return declare_run(door.database, CHANNEL, "arm", given, version, corpus, **{"repetition": 1, **more})


async def evaluate(door: Door, given: Any, version: GoldVersion, run: Run) -> StageReport:
    stage = agent_runs_stage(door.database, door, given, little.NoEmbedder(), run, version)
    return await run_stage(door.database, stage)


async def test_every_question_is_asked_once_and_its_trail_reads_back(door: Door, tmp_path: Path) -> None:
    write_answers(tmp_path)
    given = from_file(tmp_path)
    run = declare(door, given, gold())
    assert run.run_key == "coast/arm/v1/c1/r1"
    report = await evaluate(door, given, gold(), run)
    assert (report.units, report.computed, dict(report.errors)) == (2, 2, {})
    again = await evaluate(door, given, gold(), run)
    assert (again.computed, again.current) == (0, 2)

    stored = load_trail(door.database, run.run_key, "q1")
    assert stored is not None
    assert (stored.question, stored.error, stored.adopted_from) == (FACT, None, None)
    assert stored.trail.answer == "It is 31 m [jan:00000]."
    assert stored.trail.citations == ("jan:00000",)
    first = stored.trail.retrieved[0].hit
    assert (first.chunk_id, first.title, first.published_at, first.text) == (
        "jan:00000",
        "Winter round",
        little.VIDEOS["jan"][0],
        little.CHUNKS["jan:00000"],
    )
    assert [each.question_id for each in load_trails(door.database, run.run_key)] == ["q1", "q2"]
    with door.database.begin() as connection:
        cited = (
            connection.execute(text("select chunk_id from trail_chunks where cited order by 1")).scalars().all()
        )
        assert cited == ["jan:00000", "nov:00000"]
        keys = connection.execute(
            text("select key from stage_run where stage = 'agent_runs' order by 1")
        ).scalars()
        assert list(keys) == [run_unit_key(run.run_key, "q1"), run_unit_key(run.run_key, "q2")]


async def test_a_new_gold_version_adopts_the_trails_of_unchanged_questions(door: Door, tmp_path: Path) -> None:
    write_answers(tmp_path)
    given = from_file(tmp_path)
    run = declare(door, given, gold())
    await evaluate(door, given, gold(), run)
    newer = gold("v2", nugget="It is thirty-one metres tall and of granite.")
    (tmp_path / "answers.jsonl").unlink()  # nothing can be asked any more

    write_answers(tmp_path)
    second = declare(door, given, newer)
    report = await evaluate(door, given, newer, second)
    assert report.computed == 2
    adopted = load_trails(door.database, second.run_key)
    assert [each.adopted_from for each in adopted] == [run.run_key, run.run_key]
    assert [each.trail for each in adopted] == [each.trail for each in load_trails(door.database, run.run_key)]

    third = declare(door, given, gold("v3"))
    await evaluate(door, given, gold("v3"), third)
    assert {each.adopted_from for each in load_trails(door.database, third.run_key)} == {run.run_key}


async def test_a_changed_question_is_asked_again_and_the_others_are_not(door: Door, tmp_path: Path) -> None:
    asked: list[str] = []
    (tmp_path / "counting.py").write_text(
        "asked = []\ndef answer(request):\n    asked.append(request['question'])\n    return {'answer': 'No.'}\n"
    )
    given = settings(tmp_path, agent="external", endpoint="python:counting:answer")
    await evaluate(door, given, gold(), declare(door, given, gold()))
    import counting  # type: ignore[import-not-found]

    asked = counting.asked
    assert sorted(asked) == sorted([FACT, CHANGE])
    newer = gold("v2", fact="How high is the lighthouse?")
    await evaluate(door, given, newer, declare(door, given, newer))
    assert asked[2:] == ["How high is the lighthouse?"]
    await evaluate(door, given, newer, declare(door, given, newer, repetition=2))
    assert len(asked) == 5
    await evaluate(door, given, newer, declare(door, given, newer, epoch=2))
    assert len(asked) == 7
    assert [run.run_key for run in list_runs(door.database, CHANNEL)] == [
        "coast/arm/v1/c1/r1",
        "coast/arm/v2/c1/r1",
        "coast/arm/v2/c1/r2",
        "coast/arm/v2/c1/r1e2",
    ]


async def test_a_failed_question_is_a_row_with_its_reason_and_the_rest_goes_on(door: Door, tmp_path: Path) -> None:
    write_answers(
        tmp_path, [{"question_id": "q1", "answer": "x [nov:00000]", "retrieved": ["jan:00000"]}, ANSWERS[1]]
    )
    given = from_file(tmp_path)
    run = declare(door, given, gold())
    report = await evaluate(door, given, gold(), run)
    assert report.computed == 1
    assert dict(report.errors) == {
        run_unit_key(run.run_key, "q1"): (
            "bad_citations: after 1 attempts: `nov:00000` was not retrieved in this run."
        )
    }
    failed, done = load_trails(door.database, run.run_key)
    assert (failed.error or "").startswith("bad_citations")
    assert failed.trail.answer == ""
    assert done.error is None
    write_answers(tmp_path)  # mended: another file is another arm, and the run is taken over
    again = declare(door, given, gold())
    assert again.run_key == run.run_key
    assert again.arm_hash != run.arm_hash
    report = await evaluate(door, given, gold(), again)
    assert (report.computed, dict(report.errors)) == (2, {})


async def test_a_changed_corpus_reopens_no_finished_run_and_lets_no_old_one_be_asked(
    door: Door, tmp_path: Path, database: Database
) -> None:
    write_answers(tmp_path)
    given = from_file(tmp_path)
    run = declare(door, given, gold())
    await evaluate(door, given, gold(), run)
    unfinished = declare(door, given, gold(), repetition=2)
    with database.begin() as connection:
        connection.execute(text("update videos set title = 'Another title' where video_id = 'jan'"))
    assert (await evaluate(door, given, gold(), run)).computed == 0
    report = await evaluate(door, given, gold(), unfinished)
    assert set(report.errors.values()) == {
        "run_is_past: The corpus is c2 now; evaluate again to make a run over it."
    }
    newer = declare(door, given, gold())
    assert newer.run_key == "coast/arm/v1/c2/r1"
    assert (await evaluate(door, given, gold(), newer)).computed == 2
    old = load_trail(database, run.run_key, "q1")
    assert old is not None
    assert old.trail.retrieved[0].hit.title == "Winter round"


async def test_what_shapes_the_agent_is_in_the_hash_and_what_does_not_is_not(door: Door, tmp_path: Path) -> None:
    def hashed(**arm: Any) -> str:
        return arm_hash("arm", settings(tmp_path, **arm), CHANNEL)

    plain = hashed(agent="react")
    assert hashed(agent="react", timeout_seconds=5) == plain
    assert hashed(agent="react", model={"model": "baseline"}) == plain
    (tmp_path / "mine.md").write_text("Look twice.")
    changed = [
        hashed(agent="single_shot"),
        hashed(agent="react", model={"model": "openai/x"}),
        hashed(agent="react", model={"model": "openai/x", "temperature": 0.5}),
        hashed(agent="react", retriever={"k": 20}),
        hashed(agent="react", retriever={"kind": "trajectory"}),
        hashed(agent="react", max_steps=3),
        hashed(agent="react", recipe="mine.md"),
    ]
    assert len({plain, *changed}) == 8
    mine = hashed(agent="react", recipe="mine.md")
    (tmp_path / "mine.md").write_text("Look three times.")
    assert hashed(agent="react", recipe="mine.md") != mine


async def test_wrong_arms_are_named_with_the_way_out(door: Door, tmp_path: Path) -> None:
    for arm, said in (
        ({"agent": "external"}, "has no `endpoint`"),
        ({"agent": "external", "endpoint": "file:none.jsonl"}, "Cannot read the answers"),
        ({"agent": "react", "recipe": "unheard-of"}, "Shipped: default"),
        ({"agent": "react", "recipe": "none.md"}, "Cannot read the recipe"),
    ):
        with pytest.raises(UserError, match=said):
            declare(door, settings(tmp_path, **arm), gold())
    with pytest.raises(UserError, match="Known arms: arm"):
        arm_hash("arms", settings(tmp_path), CHANNEL)
    with pytest.raises(UserError, match="No run `coast/arm/v9/c1/r1`"):
        load_run(door.database, "coast/arm/v9/c1/r1")
    given = settings(tmp_path, agent="external", endpoint="ftp://somewhere")
    run = declare(door, given, gold())
    with pytest.raises(UserError, match="of no known kind"):
        await evaluate(door, given, gold(), run)


async def test_an_empty_index_stops_and_is_no_score(door: Door, tmp_path: Path, database: Database) -> None:
    given = settings(tmp_path, agent="react")
    run = declare(door, given, gold())
    with database.begin() as connection:
        connection.execute(text("delete from chunks"))
    with pytest.raises(UserError, match="0 chunks in the index of channel `coast`"):
        await evaluate(door, given, gold(), run)
    assert load_trails(database, run.run_key) == []
