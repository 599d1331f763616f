import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from answertrail_pipeline.scoring.intervals import (
    Resampling,
    bootstrap_ends,
    bootstrap_intervals,
    difference_intervals,
    mean_interval,
    ratio_interval,
)
from answertrail_pipeline.scoring.types import Interval

HOW = Resampling(0.95, 2_000)


def test_one_question_has_no_interval() -> None:
    interval = ratio_interval({"q1": (3, 5)}, "key", HOW)
    assert (interval.low, interval.high, interval.reason) == (None, None, "one question")


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_no_variation_has_no_interval(value: float) -> None:
    interval = ratio_interval({f"q{n}": (4 * value, 4) for n in range(30)}, "key", HOW)
    assert (interval.low, interval.method, interval.reason) == (None, "none", "no variation between questions")


def test_nothing_in_the_denominator() -> None:
    assert ratio_interval({"q1": (0, 0), "q2": (0, 0)}, "key", HOW).reason == (
        "no question has anything in the denominator"
    )


def test_linearised_t_by_hand() -> None:
    # ratio (1 + 3 + 2) / (2 + 4 + 4) = 0.6; residuals (1 - 1.2, 3 - 2.4, 2 - 2.4) / 10 = (-0.02, 0.06, -0.04);
    # squares 0.0004 + 0.0036 + 0.0016 = 0.0056; times 3/2 = 0.0084; standard error 0.0916515; t(2) = 4.302653
    interval = ratio_interval({"a": (1, 2), "b": (3, 4), "c": (2, 4)}, "key", HOW)
    assert interval.low == pytest.approx(0.6 - 4.302653 * 0.0916515, abs=1e-6)
    assert interval.high == pytest.approx(0.6 + 4.302653 * 0.0916515, abs=1e-6)
    assert (interval.method, interval.indicative, interval.questions) == ("linearised t over questions", True, 3)


def test_the_linearised_t_of_a_plain_mean_is_the_textbook_interval() -> None:
    values = [0.0, 0.5, 1.0, 1.0, 0.25, 0.75, 0.5, 0.0, 1.0, 0.5, 0.25, 1.0]
    half = student.ppf(0.975, 11) * np.std(values, ddof=1) / math.sqrt(12)
    interval = mean_interval({f"q{n:02d}": value for n, value in enumerate(values)}, "key", HOW)
    assert interval.low == pytest.approx(np.mean(values) - half)
    assert interval.high == pytest.approx(np.mean(values) + half)
    assert not interval.indicative


def test_the_t_interval_is_cut_to_what_a_share_can_be() -> None:
    interval = ratio_interval({"a": (1, 1), "b": (1, 1), "c": (0, 1)}, "key", HOW)
    assert (interval.low, interval.high) == (0.0, 1.0)
    assert ratio_interval({"a": (9, 1), "b": (1, 1)}, "key", HOW, upper=math.inf).high > 9


def test_twenty_questions_are_resampled_and_nineteen_are_not() -> None:
    sums = {f"q{n:02d}": (n % 4, 4) for n in range(20)}
    assert ratio_interval(sums, "key", HOW).method == "BCa bootstrap over questions"
    sums.pop("q00")
    assert ratio_interval(sums, "key", HOW).method == "linearised t over questions"


def test_questions_without_a_denominator_leave_before_anything_is_drawn() -> None:
    sums = {f"q{n:02d}": (n % 4, 4) for n in range(25)}
    padded = {**sums, **{f"z{n}": (0, 0) for n in range(10)}}
    assert ratio_interval(padded, "key", HOW) == ratio_interval(sums, "key", HOW)
    assert ratio_interval(padded, "key", HOW).questions == 25


def test_percentile_stands_in_where_bca_is_undefined() -> None:
    # "Is one of the two special questions drawn?" stays 1 whichever question is left out: BCa has no acceleration.
    # A resample misses both with probability 0.9^20 = 0.12, so the 2.5% quantile is 0.
    column = np.array([[0.0] * 18 + [1.0] * 2])
    found = bootstrap_intervals([column], lambda x: (x >= 1).astype(float), np.random.default_rng(1), HOW)
    assert found == [Interval(0.0, 1.0, "percentile bootstrap over questions", questions=20)]


def test_the_draws_are_those_of_scipy_on_the_columns_themselves() -> None:
    from scipy.stats import bootstrap

    rng = np.random.default_rng(5)
    totals = rng.integers(1, 9, 30).astype(float)
    hits = np.minimum(totals, rng.integers(0, 9, 30).astype(float))
    [ours], [plain] = bootstrap_ends(
        [hits[None], totals[None]], lambda h, t: h / t, np.random.default_rng(3), Resampling(0.95, 4_000)
    )
    for method, found in (("BCa", ours), ("percentile", plain)):
        theirs = bootstrap(
            (hits, totals), lambda h, t, axis: h.sum(axis) / t.sum(axis), paired=True, vectorized=True, axis=-1,
            n_resamples=4_000, method=method, rng=np.random.default_rng(3),
        ).confidence_interval  # fmt: skip
        assert found == pytest.approx((theirs.low, theirs.high))


def test_the_same_rows_give_the_same_interval_in_any_order() -> None:
    sums = {f"q{n:02d}": (n % 4, 4) for n in range(30)}
    shuffled = dict(reversed(list(sums.items())))
    assert ratio_interval(sums, "key", HOW) == ratio_interval(shuffled, "key", HOW)
    assert ratio_interval(sums, "key", HOW) != ratio_interval(sums, "another key", HOW)


def test_differences_of_several_numbers_share_their_draws() -> None:
    new = {f"q{n:02d}": (float(n % 3), 3.0) for n in range(25)}
    old = {f"q{n:02d}": (float(n % 2), 3.0) for n in range(25)}
    together = difference_intervals({"recall": (new, old), "ceiling": (old, new)}, "key", HOW)
    alone = difference_intervals({"recall": (new, old)}, "key", HOW)
    assert together["recall"].low == pytest.approx(alone["recall"].low)
    # the mirrored difference has the mirrored interval, because the draws are the same
    assert together["ceiling"].low == pytest.approx(-together["recall"].high, abs=0.01)


def test_a_difference_needs_the_same_questions() -> None:
    with pytest.raises(ValueError, match="same questions"):
        difference_intervals({"recall": ({"a": (1, 1)}, {"b": (1, 1)})}, "key", HOW)
    with pytest.raises(ValueError, match="denominator"):
        difference_intervals({"recall": ({"a": (1, 1)}, {"a": (0, 0)})}, "key", HOW)


def test_an_equal_difference_everywhere_has_no_interval() -> None:
    new = {f"q{n:02d}": (2.0, 4.0) for n in range(25)}
    old = {f"q{n:02d}": (1.0, 4.0) for n in range(25)}
    assert (
        difference_intervals({"recall": (new, old)}, "key", HOW)["recall"].reason
        == "no variation between questions"
    )


@given(
    st.lists(
        st.integers(1, 9).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))),
        min_size=2,
        max_size=30,
    )
)
def test_an_interval_holds_the_ratio_and_stays_in_range(cells: list[tuple[int, int]]) -> None:
    sums = {f"q{n:02d}": cell for n, cell in enumerate(cells)}
    interval = ratio_interval(sums, "key", Resampling(0.95, 200))
    ratio = sum(h for h, _ in cells) / sum(t for _, t in cells)
    if interval.low is None or interval.high is None:
        assert len({h / t for h, t in cells}) == 1
        return
    assert 0 <= interval.low <= interval.high <= 1
    if len(cells) < 20:
        assert interval.low <= ratio <= interval.high


@pytest.mark.parametrize("questions", [20, 40])
def test_coverage_on_clustered_data(questions: int) -> None:
    """The 95% interval of a pooled ratio covers its truth in 92-97% of simulations.

    Nuggets of a question hang together: their success rate is drawn from a beta distribution with mean 0.6 and
    within-question correlation 1 / (a + b + 1) = 0.3, so a + b = 7/3, a = 1.4, b = 0.9333.
    """
    rng = np.random.default_rng(20260713)
    simulations, covered = 1_000, 0
    for _ in range(simulations):
        sizes = rng.integers(3, 10, questions)
        hits = rng.binomial(sizes, rng.beta(1.4, 1.4 / 0.6 * 0.4, questions))
        sums = {f"q{n:02d}": (float(hits[n]), float(sizes[n])) for n in range(questions)}
        interval = ratio_interval(sums, "coverage", Resampling(0.95, 1_000))
        assert interval.low is not None
        assert interval.high is not None
        covered += interval.low <= 0.6 <= interval.high
    assert 0.92 <= covered / simulations <= 0.97, covered
