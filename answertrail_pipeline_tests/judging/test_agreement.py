"""Agreement of two raters: published figures, degenerate sets, and what resampling questions must respect."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answertrail_pipeline.judging.agreement import (
    Confusion,
    Rated,
    agreement,
    cohens_kappa,
    confusion,
    exact_share,
    kappa_bounds,
)
from answertrail_pipeline.judging.types import Label


def rated(both: int, first_only: int, second_only: int, neither: int, per_question: int = 1) -> list[Rated]:
    words: list[tuple[Label, Label]] = (
        [("HIT", "HIT")] * both
        + [("HIT", "MISS")] * first_only
        + [("MISS", "HIT")] * second_only
        + [("MISS", "MISS")] * neither
    )
    return [Rated(f"q{at // per_question}", first, second) for at, (first, second) in enumerate(words)]


def test_published_calibration() -> None:
    # 33 both, 4 judge only, 0 person only, 29 neither. Observed (33 + 29)/66 = 0.9394;
    # expected (37 x 33 + 29 x 33)/66^2 = 2178/4356 = 0.5; kappa (0.9394 - 0.5)/0.5 = 0.8788.
    made = agreement(rated(33, 4, 0, 29), "published")
    assert made.agreement == pytest.approx(62 / 66)
    assert made.expected == pytest.approx(0.5)
    assert made.kappa == pytest.approx(0.8788, abs=5e-5)
    assert (made.ppv.hits, made.ppv.total, made.npv.hits, made.npv.total) == (33, 37, 29, 29)
    # Clopper-Pearson: of 29/29 the lower end is 0.025^(1/29) = 0.8806, the upper 1.
    assert made.npv.low == pytest.approx(0.025 ** (1 / 29))
    assert made.npv.high == 1.0
    assert made.low is not None
    assert made.high is not None
    assert made.low < 0.8788 < made.high


def test_v10_one_label_gives_no_kappa() -> None:
    made = agreement(rated(6, 0, 0, 0), "v10")
    assert (made.kappa, made.reason) == (None, "one label only")
    assert (made.agreement, made.pairs, made.low) == (1.0, 6, None)
    assert (made.npv.value, made.npv.total) == (None, 0)


def test_no_pairs_give_nothing() -> None:
    made = agreement([], "none")
    assert (made.kappa, made.reason, made.agreement, made.ppv.value) == (None, "no pairs", None, None)


def test_a_judge_that_says_one_label_to_a_person_who_says_two_has_kappa_zero() -> None:
    assert cohens_kappa(Confusion(3, 3, 0, 0)) == (0.0, None)


def test_weights_move_kappa_only_where_they_are_asked_for() -> None:
    pairs = [*rated(5, 1, 1, 5)[:-1], Rated("q", "MISS", "MISS", weight=100.0)]
    assert confusion(pairs) == Confusion(5, 1, 1, 5)
    assert confusion(pairs, weighted=True) == Confusion(5, 1, 1, 104)
    made = agreement(pairs, "weights")
    assert made.kappa == pytest.approx(2 / 3)  # observed 10/12, expected 1/2
    # Observed 109/111; expected (6 x 6 + 105 x 105)/111^2 = 11061/12321.
    assert made.weighted_kappa.value == pytest.approx((109 / 111 - 11061 / 12321) / (1 - 11061 / 12321))


def test_weighted_ppv_and_npv_by_hand() -> None:
    """Of four HITs three are right and stand for 1 + 2 + 3 pairs, the wrong one for 4: 6/10, not 3/4."""
    pairs = [
        Rated("q1", "HIT", "HIT", 1.0), Rated("q2", "HIT", "HIT", 2.0), Rated("q3", "HIT", "HIT", 3.0),
        Rated("q4", "HIT", "MISS", 4.0), Rated("q5", "MISS", "MISS", 5.0), Rated("q6", "MISS", "HIT", 15.0),
    ]  # fmt: skip
    made = agreement(pairs, "weighted")
    assert (made.ppv.value, made.npv.value) == (0.75, 0.5)
    assert (made.weighted_ppv.value, made.weighted_npv.value) == (0.6, 0.25)
    # The plain weighted shares of HIT: judge 10/30, person 21/30; observed 11/30, expected (10 x 21 + 20 x 9)/900.
    assert made.weighted_kappa.value == pytest.approx((11 / 30 - 390 / 900) / (1 - 390 / 900))
    low, high = made.weighted_ppv.low, made.weighted_ppv.high
    assert low is not None
    assert high is not None
    assert 0 <= low < 0.6 < high <= 1
    # Two of six questions have a MISS: (4/6)^6 = 9% of the resamples have none.
    assert made.weighted_npv.reason == "9% of the resamples leave it undefined"


def test_equal_weights_change_nothing() -> None:
    pairs = [Rated(p.question_id, p.first, p.second, 7.5) for p in rated(33, 4, 0, 29)]
    made, plain = agreement(pairs, "k"), agreement(rated(33, 4, 0, 29), "k")
    assert made.weighted_ppv.value == pytest.approx(33 / 37)
    assert made.weighted_kappa.value == pytest.approx(plain.kappa)
    assert (made.low, made.high) == (plain.low, plain.high)


def test_weighted_shares_without_a_denominator_or_an_error_have_no_interval() -> None:
    made = agreement(rated(8, 0, 3, 0), "only-hits-missed")
    assert (made.weighted_ppv.value, made.weighted_ppv.low) == (1.0, None)
    assert made.weighted_ppv.reason == "no variation over questions"
    none = agreement(rated(6, 2, 0, 0), "no-miss")
    assert (none.weighted_npv.value, none.weighted_npv.reason) == (None, "no MISS to check")


def test_pairs_of_one_question_are_not_independent() -> None:
    """The same 80 pairs as 80 questions and as 8: whole questions that disagree make the interval wider."""
    spread = agreement(rated(34, 6, 6, 34), "spread")
    clustered = agreement(rated(34, 6, 6, 34, per_question=10), "clustered")
    assert spread.kappa == clustered.kappa
    assert None not in (spread.low, spread.high, clustered.low, clustered.high)
    assert clustered.high - clustered.low > spread.high - spread.low  # type: ignore[operator]


def test_few_questions_or_no_disagreement_have_no_interval() -> None:
    few = agreement(rated(6, 2, 0, 4, per_question=4), "few")
    assert (few.low, few.interval_reason) == (None, "3 questions, at least 5 are needed")
    perfect = agreement(rated(10, 0, 0, 10), "perfect")
    assert perfect.kappa == 1.0
    assert perfect.low is None
    assert "no disagreement" in (perfect.interval_reason or "")


def test_bounds_of_pairs_that_were_left_out() -> None:
    # Kept: 5/1/1/5. Two left out that the judge called HIT. At worst 5/3/1/5: observed 10/14,
    # expected (8 x 6 + 6 x 8)/196; at best 7/1/1/5: observed 12/14, expected (8 x 8 + 6 x 6)/196.
    worst, best = kappa_bounds(rated(5, 1, 1, 5), ["HIT", "HIT"])
    assert worst == pytest.approx((10 / 14 - 96 / 196) / (1 - 96 / 196))
    assert best == pytest.approx((12 / 14 - 100 / 196) / (1 - 100 / 196))


def test_exact_share_of_nothing_is_undefined() -> None:
    assert exact_share(0, 0).value is None


@given(st.lists(st.integers(0, 30), min_size=4, max_size=4))
@settings(max_examples=200, deadline=None)
def test_kappa_is_symmetric_and_at_most_one(cells: list[int]) -> None:
    both, first_only, second_only, neither = cells
    kappa, reason = cohens_kappa(Confusion(both, first_only, second_only, neither))
    turned, _ = cohens_kappa(Confusion(both, second_only, first_only, neither))
    assert (kappa is None) == (reason is not None)
    if kappa is not None and turned is not None:
        assert kappa == pytest.approx(turned)
        assert -1 - 1e-9 <= kappa <= 1 + 1e-9
        assert not math.isnan(kappa)
