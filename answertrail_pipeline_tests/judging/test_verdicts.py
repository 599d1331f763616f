"""The stages that judge a run by rules: what is asked, what a rule decides, what is due again."""

from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.agents.runs import run_unit_key
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion
from answertrail_pipeline.judging.verdicts import check_nugget_ids, verdicts_stage
from answertrail_pipeline.models import retries
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.settings import ModelRole
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import due, run_stage
from answertrail_pipeline_tests.judging.stored import (
    CHANGE,
    answered,
    declare,
    fact,
    gold,
    judge_run,
    settings,
    stance,
    unit_row,
    verdicts,
)
from answertrail_pipeline_tests.models.server import Reply, ScriptedServer

SAID = {"label": "HIT", "reason": "It says `tall`.", "detail": None}
WINTER = ("early 2025", date(2025, 1, 1), date(2025, 4, 30))
AUTUMN = ("late 2025", date(2025, 9, 1), date(2025, 12, 31))
VIEW = GoldQuestion(
    question_id="lc-1",
    tier="longitudinal",
    text=CHANGE,
    state="kept",
    nuggets=(
        stance("n1", "He does not trust the electric lamp", *WINTER),
        stance("n2", "The electric lamp is better than oil", *AUTUMN),
        stance("n3", "The electric lamp is better than oil", *WINTER),
        stance("n4", "The lamp ruins the eyes of the gulls", *AUTUMN),
        GoldNugget(
            nugget_id="n5",
            kind="shift",
            text="He moved from not trusting the electric lamp to finding the electric lamp better than oil",
        ),
    ),
)
TOLD = (
    "In January 2025: I do not trust the electric lamp, it goes out in every storm [jan:00030].\n\n"
    "In November 2025: the electric lamp is better than oil in every way [nov:00000]."
)


@pytest.fixture
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a silent judge up at once: how long it is waited for is tested elsewhere."""
    monkeypatch.setattr(retries, "MAX_TRIES", 1)


async def test_a_run_is_judged_for_all_four_purposes(database: Database, door: Door, tmp_path: Path) -> None:
    run, question = (
        declare(database),
        fact("The lighthouse is 31 metres tall.", "The lighthouse is 35 metres tall."),
    )
    answer = "The lighthouse at Pellan Point is 31 metres tall [jan:00000]. The keeper has two dogs [nov:00000]."
    answered(database, run, question, answer, citations=["jan:00000", "nov:00000"])
    await judge_run(database, door, settings(tmp_path), run, gold(question))
    labels = {key: row.label for key, row in verdicts(database, run).items()}
    assert labels == {
        ("recall", "fc-1", "n1"): "HIT",
        ("recall", "fc-1", "n2"): "MISS",  # 35 is not 31
        ("ceiling", "fc-1", "n1"): "HIT",  # `thirty one` is 31
        ("ceiling", "fc-1", "n2"): "MISS",
        ("grounded", "fc-1", "1"): "HIT",
        ("grounded", "fc-1", "2"): "MISS",  # nobody spoke of dogs
        ("cited", "fc-1", "1"): "HIT",
        ("cited", "fc-1", "2"): "MISS",
    }
    missed = verdicts(database, run)["recall", "fc-1", "n2"]
    assert (missed.detail, missed.by_rule) == ("contradicted", False)
    assert "35" in missed.reason


async def test_time_is_part_of_a_stance_and_every_miss_is_sorted(
    database: Database, door: Door, tmp_path: Path
) -> None:
    run = declare(database)
    answered(database, run, VIEW, TOLD, citations=["jan:00030", "nov:00000"])
    await judge_run(database, door, settings(tmp_path), run, gold(VIEW))
    recall = {item: row.label for (_, _, item), row in verdicts(database, run, "recall").items()}
    assert recall == {"n1": "HIT", "n2": "HIT", "n3": "MISS", "n4": "MISS", "n5": "HIT"}
    ceiling = {item: row.label for (_, _, item), row in verdicts(database, run, "ceiling").items()}
    assert ceiling == {"n1": "HIT", "n2": "HIT", "n3": "MISS", "n4": "MISS"}  # a shift has no ceiling
    with database.begin() as connection:
        kinds = dict(connection.execute(text("select nugget_id, kind from miss_kinds")).all())
    assert kinds == {"n3": "timing", "n4": "substance"}


@pytest.mark.parametrize("empty", ["", " \n\t ", "\u00a0\u00a0", "\u200b \ufeff"])
async def test_v6_an_empty_answer_is_a_miss_that_nobody_was_asked_about(
    database: Database, door: Door, tmp_path: Path, empty: str
) -> None:
    run, question = declare(database), fact("The lighthouse is 31 metres tall.")
    answered(database, run, question, empty)
    await judge_run(database, door, settings(tmp_path), run, gold(question))
    row = verdicts(database, run)["recall", "fc-1", "n1"]
    assert (row.label, row.reason, row.by_rule) == ("MISS", "empty answer", True)
    with database.begin() as connection:
        asked = (
            connection.execute(text("select request from model_calls where task like 'judge%'")).scalars().all()
        )
    assert [call["text_kind"] for call in asked] == ["chunks"]  # the ceiling is asked, recall is not


async def test_v7_an_answer_that_states_nothing_has_no_assertions(
    database: Database, door: Door, tmp_path: Path
) -> None:
    run = declare(database)
    silent = fact("The lighthouse is 31 metres tall.")
    cites = fact("The lighthouse is 31 metres tall.", question_id="fc-2")
    answered(database, run, silent, "I could not find this in the transcripts.")
    answered(database, run, cites, "[jan:00000] [nov:00000]", citations=["jan:00000", "nov:00000"])
    await judge_run(database, door, settings(tmp_path), run, gold(silent, cites))
    assert {key[0] for key in verdicts(database, run)} == {"recall", "ceiling"}
    assert unit_row(database, run, "fc-1", "assertions").counts == {"assertions": 0, "cited": 0}


async def test_nothing_retrieved_and_nothing_reported_are_told_apart(
    database: Database, door: Door, tmp_path: Path
) -> None:
    run = declare(database)
    none, silent = fact("It is 31 metres tall."), fact("It is 31 metres tall.", question_id="fc-2")
    answered(database, run, none, "It is 31 metres tall.", chunks=[])
    answered(database, run, silent, "It is 31 metres tall.", chunks=[], evidence="none")
    await judge_run(database, door, settings(tmp_path), run, gold(none, silent))
    made = verdicts(database, run)
    assert made["ceiling", "fc-1", "n1"].reason == "nothing retrieved"
    assert made["grounded", "fc-1", "1"].by_rule
    assert {key[0] for key in made if key[1] == "fc-2"} == {"recall"}


async def test_v8_a_question_without_nuggets_is_not_judged(database: Database, door: Door, tmp_path: Path) -> None:
    run, question = declare(database), fact()
    answered(database, run, question, "It is 31 metres tall.")
    _, report = await judge_run(database, door, settings(tmp_path), run, gold(question))
    assert (report.computed, report.errors) == (1, {})
    assert verdicts(database, run) == {}


@pytest.mark.parametrize("ids", [("n1", "n1"), ("1", "1 "), ("N1", "n1")])
async def test_v9_equal_nugget_ids_are_refused_before_any_call(
    database: Database, door: Door, tmp_path: Path, ids: tuple[str, str]
) -> None:
    run = declare(database)
    question = fact("It is tall.", "It is old.", "It is white.", ids=[ids[0], "between", ids[1]])
    with pytest.raises(UserError, match="Nuggets 1 and 3 of question `fc-1` have the same id"):
        verdicts_stage(database, door, settings(tmp_path), run, gold(question))


def test_an_empty_nugget_id_is_refused() -> None:
    with pytest.raises(UserError, match=r"Nugget 1 .* has an empty id"):
        check_nugget_ids(gold(fact("It is tall.", ids=[" "])))


async def test_only_what_changed_is_judged_again(database: Database, door: Door, tmp_path: Path) -> None:
    run, configured = declare(database), settings(tmp_path)
    one, two = fact("The lighthouse is 31 metres tall."), fact("It is built of granite.", question_id="fc-2")
    for question in (one, two):
        answered(database, run, question, "The lighthouse is 31 metres tall.")
    await judge_run(database, door, configured, run, gold(one, two))

    def due_now(*questions: GoldQuestion, **scoring: float) -> list[str]:
        stage = verdicts_stage(database, door, settings(tmp_path, **scoring), run, gold(*questions))
        return [unit.key for unit in due(database, stage)[0]]

    assert due_now(one, two) == []
    assert due_now(one, two, min_kappa=0.5, max_unscored_share=0.5) == []
    changed = fact("It is built of concrete.", question_id="fc-2")
    assert due_now(one, changed) == [run_unit_key(run.run_key, "fc-2")]
    answered(database, run, one, "The lighthouse is 30 metres tall.")
    await run_stage(database, verdicts_stage(database, door, configured, run, gold(one, two)))
    assert verdicts(database, run)["recall", "fc-1", "n1"].label == "MISS"


async def test_a_verdict_that_was_not_had_in_time_is_asked_for_again(
    database: Database, door: Door, tmp_path: Path, scripted_server: ScriptedServer, one_try: None
) -> None:
    """A silent judge may answer at the next run; one that declined would decline again and is not asked."""
    run, silent, declined = declare(database), fact("It is tall."), fact("It is old.", question_id="fc-2")
    for question in (silent, declined):
        answered(database, run, question, "The lighthouse is tall.", evidence="none")
    scripted_server.rule = lambda call: (
        Reply(refusal="I will not say.") if "It is old." in call.last_user else Reply(SAID, seconds=9.0)
    )
    configured = settings(tmp_path, judge=scripted_server.role(timeout_seconds=1.5))
    await judge_run(database, door, configured, run, gold(silent, declined))
    assert {key[1]: row.unscored for key, row in verdicts(database, run).items()} == {
        "fc-1": "timeout",
        "fc-2": "refused",
    }
    stage = verdicts_stage(database, door, configured, run, gold(silent, declined))
    assert [unit.key for unit in due(database, stage)[0]] == [run_unit_key(run.run_key, "fc-1")]
    scripted_server.rule = lambda _call: Reply(SAID)
    await run_stage(database, stage)
    assert verdicts(database, run)["recall", "fc-1", "n1"].label == "HIT"
    assert unit_row(database, run, "fc-1").state == "done"
    assert due(database, stage)[0] == []


async def test_a_miss_that_was_not_sorted_in_time_is_sorted_later(
    database: Database, door: Door, tmp_path: Path, scripted_server: ScriptedServer, one_try: None
) -> None:
    run, question = declare(database), replace_nuggets(VIEW, "n4")
    answered(database, run, question, TOLD, evidence="none")
    missed = Reply({"label": "MISS", "reason": "No gulls.", "detail": "not_found"})
    scripted_server.rule = lambda call: missed if "CLAIM" in call.last_user else Reply("", seconds=9.0)
    configured = settings(tmp_path, judge=scripted_server.role(timeout_seconds=1.5))
    await judge_run(database, door, configured, run, gold(question))
    scripted_server.rule = lambda _call: Reply({"kind": "substance", "reason": "Nothing of gulls."})
    stage = verdicts_stage(database, door, configured, run, gold(question))
    await run_stage(database, stage)
    with database.begin() as connection:
        assert connection.execute(text("select kind from miss_kinds")).scalars().all() == ["substance"]
    assert due(database, stage)[0] == []


def replace_nuggets(question: GoldQuestion, *nugget_ids: str) -> GoldQuestion:
    kept = tuple(nugget for nugget in question.nuggets if nugget.nugget_id in nugget_ids)
    return question.model_copy(update={"nuggets": kept})


async def test_a_trail_that_failed_blocks_its_verdicts_and_no_others(
    database: Database, door: Door, tmp_path: Path
) -> None:
    run, good, bad = declare(database), fact("It is tall."), fact("It is old.", question_id="fc-2")
    for question in (good, bad):
        answered(database, run, question, "The lighthouse is tall.")
    with database.begin() as connection:
        connection.execute(
            text("update stage_run set state = 'error', output_hash = null, reason = 'timeout' where key = :key"),
            {"key": run_unit_key(run.run_key, "fc-2")},
        )
    _, report = await judge_run(database, door, settings(tmp_path), run, gold(good, bad))
    assert (report.computed, report.blocked) == (1, 1)
    assert unit_row(database, run, "fc-2").reason == "the trail is error: timeout"


async def test_a_judge_that_is_the_agents_kin_is_never_asked(
    database: Database, door: Door, tmp_path: Path
) -> None:
    run, question = declare(database, model="openrouter/anthropic/claude-sonnet-4"), fact("It is tall.")
    answered(database, run, question, "It is tall.")
    configured = settings(tmp_path, judge=ModelRole(model="bedrock/anthropic.claude-opus-4-v1:0"))
    _, report = await judge_run(database, door, configured, run, gold(question))
    assert report.blocked == 1
    assert "kin to the agent of `plain` (anthropic)" in unit_row(database, run, "fc-1").reason
    with database.begin() as connection:
        assert connection.execute(text("select count(*) from model_calls where task like 'judge%'")).scalar() == 0
