"""The rule-based judge on the published claims: better than the floor that was measured before it was written."""

from pathlib import Path

import pytest

from answertrail_pipeline_tests.judging.real_pairs import Pair, halves, measure, real_pairs


@pytest.fixture(scope="module")
def pairs(shared_data: Path) -> list[Pair]:
    return real_pairs(shared_data / "answertrail")


def test_every_kind_beats_the_floor(pairs: list[Pair]) -> None:
    # The floor (plain coverage, numbers, negation): accepts .71; rejects other videos 1.00, changed numbers .98,
    # denials .70, swapped names .38; kappa .57. The judge is always given the question.
    made = measure(pairs, with_question=True)
    assert made.share("own chunks") >= 0.85
    assert made.share("other video") >= 0.93
    assert made.share("number changed") >= 0.98
    assert made.share("denied") >= 0.88
    assert made.share("name swapped") >= 0.85
    assert made.kappa >= 0.78


def test_questions_that_were_not_looked_at_do_nearly_as_well(pairs: list[Pair]) -> None:
    _, even = halves(pairs)
    assert measure(even, with_question=True).kappa >= 0.75


def test_without_the_question_the_rules_are_weaker_but_above_the_floor(pairs: list[Pair]) -> None:
    made = measure(pairs, with_question=False)
    assert made.share("own chunks") >= 0.74
    assert made.share("name swapped") >= 0.75
    assert made.kappa >= 0.66
