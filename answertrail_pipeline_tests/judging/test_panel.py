"""Panels of judges and the two modes, with the real client."""

from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.judging.judges import Panel, configured_judge, judge_of
from answertrail_pipeline.judging.modes import compare_modes
from answertrail_pipeline.judging.panel import panel_agreement, stored_votes, vote
from answertrail_pipeline.judging.types import Label, Verdict
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.settings import ModelRole
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.judging.stored import answered, declare, fact, gold, judge_run, settings, verdicts
from answertrail_pipeline_tests.models.server import Call, Reply, ScriptedServer

THREE = tuple(judge_of(ModelRole(model=f"openai/{name}")) for name in "abc")


@pytest.mark.parametrize(
    ("labels", "majority", "unanimity"),
    [
        (["HIT", "HIT", "HIT"], "HIT", "HIT"),
        (["HIT", "HIT", "MISS"], "HIT", "MISS"),
        (["HIT", "MISS", "MISS"], "MISS", "MISS"),
        (["HIT", "HIT", None], "HIT", None),  # the third could still break unanimity
        (["HIT", "MISS", None], None, "MISS"),  # the third would decide the majority
        (["HIT", None, None], None, None),
        ([None, None, None], None, None),
    ],
)
def test_votes(labels: list[Label | None], majority: Label | None, unanimity: Label | None) -> None:
    votes = [
        Verdict(f"v{n}", "recall", label, "so", unscored=None if label else "refused")
        for n, label in enumerate(labels)
    ]
    for rule, expected in (("majority", majority), ("unanimity", unanimity)):
        made = vote(Panel(THREE, rule), "id", "recall", votes)  # type: ignore[arg-type]
        assert made.label == expected
        assert made.unscored == (None if expected else f"no_{rule}")


def test_a_vote_that_may_come_later_keeps_the_panels_verdict_open() -> None:
    labels: list[tuple[Label | None, str | None]] = [("HIT", None), ("MISS", None), (None, "timeout")]
    votes = [Verdict(f"v{n}", "recall", label, "so", unscored=why) for n, (label, why) in enumerate(labels)]
    assert vote(Panel(THREE, "majority"), "id", "recall", votes).unscored == "timeout"
    assert vote(Panel(THREE, "unanimity"), "id", "recall", votes).label == "MISS"  # it cannot turn this


def test_krippendorff_of_a_panel() -> None:
    # Two judges, four pairs: HIT/HIT, HIT/HIT, HIT/MISS, MISS/MISS. Coincidences: HIT-HIT 4, MISS-MISS 2,
    # HIT-MISS 2 of n = 8 values, 5 HIT and 3 MISS. Observed disagreement 2/8; expected 2 x 5 x 3/(8 x 7) = 30/56.
    # alpha = 1 - (2/8)/(30/56) = 1 - 14/30.
    votes: dict[str, dict[str, Label | None]] = {
        "p1": {"a": "HIT", "b": "HIT"},
        "p2": {"a": "HIT", "b": "HIT"},
        "p3": {"a": "HIT", "b": "MISS"},
        "p4": {"a": "MISS", "b": "MISS"},
        "p5": {"a": "MISS", "b": None},
    }
    made = panel_agreement(votes)
    assert (made.pairs, made.judges, made.unanimous) == (4, 2, 3)
    assert made.alpha == pytest.approx(1 - 14 / 30)


def test_a_panel_of_one_word_has_no_alpha() -> None:
    made = panel_agreement({"p1": {"a": "HIT", "b": "HIT"}})
    assert (made.alpha, made.reason, made.unanimous) == (None, "one label only", 1)
    assert panel_agreement({"p1": {"a": "HIT", "b": None}}).reason == "no pair has two labels"


def test_a_panel_needs_two_different_judges(tmp_path: Path) -> None:
    same = (ModelRole(model="openai/a"), ModelRole(model="openai/a"))
    for panel in (same[:1], same):
        with pytest.raises(UserError, match="not all of them different"):
            configured_judge(settings(tmp_path, panel=panel))


def by_model(call: Call) -> Reply:
    """Judge `a` says HIT to everything, `b` and `c` only to claims of metres."""
    hit = call.body["model"] == "a" or "metres" in call.last_user.rpartition("CLAIM")[2]
    return Reply({"label": "HIT" if hit else "MISS", "reason": "So it is.", "detail": None})


async def test_a_panel_judges_a_run_and_every_vote_is_kept(
    database: Database, door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    run, question = declare(database), fact("It is 31 metres tall.", "It is white.")
    answered(database, run, question, "The lighthouse is 31 metres tall.", evidence="none")
    scripted_server.rule = by_model
    panel = tuple(scripted_server.role(f"openai/{name}") for name in "abc")
    configured = settings(tmp_path, panel=panel)
    await judge_run(database, door, configured, run, gold(question))
    made = verdicts(database, run)
    assert {key[2]: row.label for key, row in made.items()} == {"n1": "HIT", "n2": "MISS"}
    assert made["recall", "fc-1", "n2"].reason.startswith("1 HIT, 2 MISS of 3.")
    judge = configured_judge(configured)
    assert isinstance(judge, Panel)
    with database.begin() as connection:
        votes = stored_votes(connection, judge, "coast")
        assert connection.execute(text("select count(*) from judges")).scalar() == 4
    assert sorted(sorted(labels.values(), key=str) for labels in votes.values()) == [
        ["HIT", "HIT", "HIT"],
        ["HIT", "MISS", "MISS"],
    ]
    assert panel_agreement(votes).unanimous == 1


def either_mode(call: Call) -> Reply:
    """In batches the judge is laxer: it says HIT to all; one by one only to claims of metres."""
    ids = [line.split()[1] for line in call.last_user.splitlines() if line.startswith("CLAIM c")]
    if ids:
        return Reply({"verdicts": [{"id": one, "label": "HIT", "reason": "Yes.", "detail": None} for one in ids]})
    return by_model(call)


async def test_modes_are_compared_on_the_same_pairs(
    database: Database, door: Door, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    run, question = declare(database), fact("It is 31 metres tall.", "It is white.", "It is old.")
    answered(database, run, question, "The lighthouse is 31 metres tall.", evidence="none")
    await judge_run(database, door, settings(tmp_path), run, gold(question))
    scripted_server.rule = either_mode
    made = await compare_modes(database, door, scripted_server.role("openai/b"), run)
    # Single: HIT, MISS, MISS; batched: HIT, HIT, HIT. They agree on one of three.
    assert (made.agreement.pairs, made.agreement.agreement) == (3, pytest.approx(1 / 3))
    assert (made.single.calls, made.batched.calls) == (3, 1)
    assert (made.single.cost_usd, made.batched.cost_usd) == (None, None)  # nobody knows this model's price
    assert made.unscored == {"single": 0, "batched": 0}
    before = len(scripted_server.chats)
    assert await compare_modes(database, door, scripted_server.role("openai/b"), run) == made
    assert len(scripted_server.chats) == before
    with pytest.raises(UserError, match="has no verdicts"):
        await compare_modes(database, door, scripted_server.role("openai/b"), declare(database, "other"))
