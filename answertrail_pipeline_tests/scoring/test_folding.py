"""Which lines of a scoreboard are compared: as many for two arms, however often they were asked again."""

import itertools
from collections.abc import Iterable

from answertrail_pipeline.agents.runs import Run
from answertrail_pipeline.scoring.folding import FoldedRun, Line, comparable, lines
from answertrail_pipeline_tests.scoring.stored import ARM


def run(arm: str, corpus: int, epoch: int = 1, arm_hash: str = "a" * 64) -> FoldedRun:
    key = f"talks/{arm}/v1/c{corpus}/r1"
    config = ARM.model_dump(mode="json")
    return FoldedRun(Run(key, "talks", arm, arm_hash, config, "v1", f"id of c{corpus}", 1, epoch), (), (), ())


def names(pairs: Iterable[tuple[Line, Line]]) -> set[tuple[str, str]]:
    return {(new.name, old.name) for new, old in pairs}


def test_arms_meet_over_the_newest_corpus_and_the_golds_and_each_its_own_past() -> None:
    made = lines([run(arm, corpus) for arm, corpus in itertools.product(("hybrid", "react"), (1, 2, 3))])
    assert names(comparable(made, "id of c1")) == {
        ("react@c3", "hybrid@c3"),
        ("react@c1", "hybrid@c1"),
        ("react@c3", "react@c2"),
        ("hybrid@c3", "hybrid@c2"),
    }
    assert ("react@c1", "hybrid@c1") not in names(comparable(made, None))


def test_two_arms_meet_over_the_newest_corpus_that_both_have() -> None:
    made = lines([run("hybrid", 1), run("hybrid", 2), run("react", 2), run("react", 9)])
    found = names(comparable(made, None))
    assert found == {("react@c2", "hybrid@c2"), ("react@c9", "react@c2"), ("hybrid@c2", "hybrid@c1")}


def test_an_arm_asked_anew_or_configured_anew_is_compared_with_what_it_was() -> None:
    asked_again = lines([run("react", 1), run("react", 1, epoch=2), run("single", 1), run("single", 1, epoch=2)])
    assert names(comparable(asked_again, None)) == {
        ("react.e2", "react.e1"),
        ("single.e2", "single.e1"),
        ("single.e2", "react.e2"),
    }
    anew = lines([run("react", 1), run("react", 1, arm_hash="b" * 64)])
    assert names(comparable(anew, None)) == {("react#bbbbbb", "react#aaaaaa")}


def test_what_was_registered_is_compared_however_old_it_is() -> None:
    made = lines([run(arm, corpus) for arm, corpus in itertools.product(("hybrid", "react"), (1, 2, 3))])
    asked = [("react@c2", "hybrid@c2"), ("react@c2", "hybrid@c1")]
    found = names(comparable(made, None, asked))
    assert ("react@c2", "hybrid@c2") in found
    assert ("react@c2", "hybrid@c1") not in found, "neither the arm nor the corpus is shared"


def test_a_year_of_weekly_reevaluations_adds_no_comparison() -> None:
    # 3 arms: 3 pairs over the newest corpus, 3 over the gold's, and 3 arms with what they were before.
    for weeks in (2, 52):
        asked = itertools.product(("dense", "hybrid", "react"), range(1, weeks + 2))
        made = lines([run(arm, corpus) for arm, corpus in asked])
        assert len(comparable(made, "id of c1")) == 9
