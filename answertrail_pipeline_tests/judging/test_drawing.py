"""Drawing pairs: spread over questions, with weights that add up to what was drawn from."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answertrail_pipeline.judging.drawing import draw_spread

MEMBERS = {"q1": ["a"], "q2": ["b", "c", "d"], "q3": ["e", "f", "g", "h", "i", "j"]}


def test_each_question_gives_one_before_any_gives_two() -> None:
    drawn = draw_spread(MEMBERS, 3, Random(1))
    # One of each: the chances are 1/1, 1/3 and 1/6, so the weights are 1, 3 and 6.
    assert sorted(one.weight for one in drawn) == [1.0, 3.0, 6.0]
    assert {one.member for one in drawn} & {"a"}


def test_everything_is_drawn_where_there_is_less_than_asked_for() -> None:
    drawn = draw_spread(MEMBERS, 99, Random(1))
    assert sorted(one.member for one in drawn) == list("abcdefghij")
    assert {one.weight for one in drawn} == {1.0}


@pytest.mark.parametrize("size", [1, 2, 4, 5, 7])
def test_weights_add_up_on_average_to_the_population(size: int) -> None:
    draws = 4000
    seen = dict.fromkeys("abcdefghij", 0.0)
    for seed in range(draws):
        for one in draw_spread(MEMBERS, size, Random(seed)):
            seen[one.member] += one.weight / draws
    # Each member's weight is the inverse of its chance, so on average each stands for one: itself. The standard
    # error of the rarest (chance 1/18 at size 1) is sqrt(17/4000) = 0.065.
    assert seen == pytest.approx(dict.fromkeys("abcdefghij", 1.0), abs=0.27)


@given(
    sizes=st.dictionaries(st.text("ab", min_size=1, max_size=4), st.integers(1, 9), max_size=6),
    size=st.integers(0, 40),
    seed=st.integers(0, 99),
)
@settings(max_examples=200, deadline=None)
def test_a_draw_has_the_right_size_and_is_repeatable(sizes: dict[str, int], size: int, seed: int) -> None:
    members = {question: [f"{question}{n}" for n in range(count)] for question, count in sizes.items()}
    drawn = draw_spread(members, size, Random(seed))
    assert len(drawn) == min(size, sum(sizes.values()))
    assert len({one.member for one in drawn}) == len(drawn)
    assert all(one.weight >= 1 - 1e-9 for one in drawn)
    assert drawn == draw_spread(members, size, Random(seed))
    per_question = [sum(one.member in members[q] for one in drawn) for q in members]
    uncapped = [count for q, count in zip(members, per_question, strict=True) if count < sizes[q]]
    assert max(uncapped, default=0) - min(uncapped, default=0) <= 1
