import random
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answertrail_pipeline.retrieval.fusion import best, reciprocal_ranks, spread
from answertrail_pipeline.retrieval.periods import FLOOR_SHARE, make_periods
from answertrail_pipeline.retrieval.span import Span, find_span
from answertrail_pipeline.retrieval.types import Query

FIRST, LAST = date(2025, 1, 10), date(2026, 3, 20)
days = st.dates(date(1, 1, 1), date(9999, 12, 31))


def test_reciprocal_ranks_by_hand() -> None:
    scores = reciprocal_ranks([("a", 1), ("b", 2), ("c", 1), ("a", 2)], 60)
    assert scores == pytest.approx({"a": 1 / 61 + 1 / 62, "b": 1 / 62, "c": 1 / 61})
    assert best(scores, 2) == ["a", "c"]
    assert best({"b": 1.0, "a": 1.0, "c": 2.0}, 3) == ["c", "a", "b"]


def test_each_chunk_of_a_period_lowers_what_its_others_are_worth() -> None:
    scores = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.5, "e": 0.3}
    period_of = {"a": 0, "b": 0, "c": 0, "d": 1, "e": 2}
    # At a half: a (.9); b is worth .4 and d .5: d; b .4, c .35, e .3: b; c .7 / 4 = .175, e .3: e; c.
    assert spread(scores, period_of, 0.5, 5) == ["a", "d", "b", "e", "c"]
    assert spread(scores, period_of, 1, 4) == ["a", "b", "c", "d"]
    # e comes in any case; f, without a score of its own, too. Then a .9; b .4; d .5.
    first = ["e", "f"]
    assert spread(scores, {**period_of, "f": 2}, 0.5, 5, first) == ["e", "f", "a", "d", "b"]
    assert spread(scores, {**period_of, "f": 2}, 0.5, 1, first) == ["e"]
    assert spread({"b": 1.0, "a": 1.0}, {"a": 4, "b": 3}, 0.5, 9) == ["a", "b"]  # a tie: the smaller id


units = st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.floats(0.001, 1), max_size=20)


@given(units, st.floats(0.01, 1), st.integers(0, 25), st.randoms(use_true_random=False))
def test_spreading_takes_each_unit_once_and_the_best_of_each_period_first(
    scores: dict[str, float], weight: float, count: int, draw: random.Random
) -> None:
    period_of = {unit_id: draw.randrange(3) for unit_id in scores}
    chosen = spread(scores, period_of, weight, count)
    assert len(chosen) == len(set(chosen)) == min(count, len(scores))
    for period in range(3):
        of_it = {unit_id: score for unit_id, score in scores.items() if period_of[unit_id] == period}
        mine = [unit_id for unit_id in chosen if period_of[unit_id] == period]
        assert mine == best(of_it, len(mine))


@pytest.mark.parametrize(
    ("floor", "budget", "names"),
    [
        (1, 40, ["2025-01", "2025-02", "2025-03", "2025-04", "2025-05", "2025-06", "2025-07"]),  # 7 <= 16
        (1, 17, ["2025 Q1", "2025 Q2", "2025 Q3"]),  # 7 months > 6
        (3, 20, ["2025"]),  # 3 quarters > 8 // 3
        (1, 2, ["2025"]),
        (0, 40, ["2025-01", "2025-02", "2025-03", "2025-04", "2025-05", "2025-06", "2025-07"]),
    ],
)
def test_periods_are_as_fine_as_the_budget_allows(floor: int, budget: int, names: list[str]) -> None:
    periods = make_periods(date(2025, 1, 10), date(2025, 7, 2), floor, budget)
    assert [period.name for period in periods] == names
    assert (periods[0].since, periods[-1].until) == (date(2025, 1, 10), date(2025, 7, 2))


@given(days, days, st.integers(0, 3), st.integers(1, 100))
def test_periods_tile_any_span(one: date, other: date, floor: int, budget: int) -> None:
    since, until = sorted((one, other))
    periods = make_periods(since, until, floor, budget)
    assert periods[0].since == since
    assert periods[-1].until == until
    assert all(after.since.toordinal() == before.until.toordinal() + 1 for before, after in pairwise(periods))
    assert len(periods) == 1 or len(periods) * max(1, floor) <= FLOOR_SHARE * budget
    assert len({period.name for period in periods}) == len(periods)


@pytest.mark.parametrize(
    ("query", "span"),
    [
        (Query("x from June 2025 through August 2025?"), Span(date(2025, 5, 1), date(2025, 9, 30), "question")),
        (Query("x in January 2025"), Span(FIRST, date(2025, 2, 28), "question")),  # no earlier than the corpus
        (Query("x from early 2025 through 2031"), Span(FIRST, LAST, "question")),
        (Query("x since February 2026"), Span(date(2026, 1, 1), LAST, "question")),
        (Query("x"), Span(FIRST, LAST, "corpus")),
        (Query("x in May 2031"), Span(FIRST, LAST, "corpus")),  # a slip: everything is searched
        (Query("x in May 2025", since=date(2025, 7, 1)), Span(date(2025, 7, 1), LAST, "filter")),
        (Query("x", until=date(2025, 2, 1)), Span(FIRST, date(2025, 2, 1), "filter")),
        (Query("x", since=date(2031, 1, 1)), None),
        (Query("x", since=date(2025, 6, 1), until=date(2025, 5, 1)), None),
    ],
)  # fmt: skip
def test_span_of_a_query(query: Query, span: Span | None) -> None:
    assert find_span(query, FIRST, LAST) == span


@given(st.text())
def test_a_span_lies_in_the_corpus(words: str) -> None:
    span = find_span(Query(words), FIRST, LAST)
    assert span is not None
    assert FIRST <= span.since <= span.until <= LAST
