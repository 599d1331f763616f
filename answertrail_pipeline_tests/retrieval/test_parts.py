from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answertrail_pipeline.retrieval.fusion import best, reciprocal_ranks, with_floor
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


def test_a_floor_comes_first_and_the_rest_by_overall_score() -> None:
    overall = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.1}
    by_period = [{"a": 0.5, "b": 0.4}, {"d": 0.5}, {}]
    assert with_floor(overall, by_period, 1, 3) == ["a", "d", "b"]
    assert with_floor(overall, by_period, 0, 3) == ["a", "b", "c"]
    assert with_floor(overall, by_period, 2, 10) == ["a", "b", "d", "c"]


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
