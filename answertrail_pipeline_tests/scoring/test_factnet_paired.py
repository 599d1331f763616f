"""Differences over persons, efficiency and audit: the worked examples W10 and W11, and the published figures."""

import json
from pathlib import Path

import numpy as np
import pytest

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.scoring.factnet.audit import (
    AuditedPair,
    audit,
    corrected_by_rate,
    corrected_by_share,
    correlation,
)
from answertrail_pipeline.scoring.factnet.efficiency import PersonCost, pareto, spread
from answertrail_pipeline.scoring.factnet.level_scores import level_score
from answertrail_pipeline.scoring.factnet.paired import gap_between, paired_counts, paired_mean, relative_change
from answertrail_pipeline.scoring.factnet.types import Counts
from answertrail_pipeline.scoring.intervals import Resampling

HOW = Resampling(resamples=2000)


def test_w10_and_w11_exactly(shared_data: Path) -> None:
    listed = json.loads((shared_data / "politnuggets/worked_examples.json").read_text("utf-8"))
    examples = {example["id"]: example for example in listed}
    w10, w11 = examples["W10"], examples["W11"]
    with_it, without = (
        {f"p{at}": float(value) for at, value in enumerate(w10[name])}
        for name in ("with_reference", "without_reference")
    )
    found = paired_mean(with_it, without, "w10", HOW)
    assert found.difference == w10["expect"]["mean"]
    assert list(found.bootstrap) == w10["expect"]["bootstrap_exact"]
    assert [round(end, 4) for end in found.t] == w10["expect"]["t"]
    assert found.excludes_zero
    rate = corrected_by_rate(w11["candidates"], w11["hits"], w11["fpr"], w11["sensitivity"])
    assert round(rate, 4) == w11["expect"]["rate_reading"]
    assert round(corrected_by_share(w11["hits"], w11["fpr"]), 4) == w11["expect"]["share_reading"]


@pytest.mark.parametrize("mean", [4.510, 3.350, 292_383.0, 66_705.0])
def test_published_mean_differences_come_back_with_their_flag(mean: float) -> None:
    """400 persons whose differences have exactly the published mean and a spread of three times the mean.

    The standard error is 3 mean / 20, so that 0 lies 6.7 standard errors away.
    """
    draw = np.random.default_rng(7)
    noise = draw.normal(size=400)
    noise = (noise - noise.mean()) / noise.std() * 3 * mean
    old = {f"p{at:03d}": float(value) for at, value in enumerate(draw.uniform(1, 9, 400) * mean)}
    new = {person: value + mean + float(noise[at]) for at, (person, value) in enumerate(old.items())}
    found = paired_mean(old, new, "published", HOW)
    assert found.difference == pytest.approx(mean)
    assert found.excludes_zero
    assert found.bootstrap[0] < mean < found.bootstrap[1]
    assert found.persons == 400


def test_persons_of_one_side_are_dropped_and_counted() -> None:
    found = paired_mean({"a": 1.0, "b": 2.0, "c": 9.0}, {"a": 2.0, "b": 2.0, "d": 1.0}, "k", HOW)
    assert (found.difference, found.persons, found.dropped) == (0.5, 2, 2)
    # The 4 resamples of (1, 0) have the means 1, .5, .5, 0; linear percentiles at 0.025 x 3 = 0.075 of the way.
    assert found.bootstrap == pytest.approx((0.0375, 0.9625))
    assert found.excludes_zero


def test_a_relative_change() -> None:
    assert round(relative_change(0.626, 0.538), 3) == -0.141


def test_pooled_f1_is_not_the_mean_of_f1() -> None:
    """Published: P 0.890, R 0.703, pooled F1 2PR / (P + R) = 0.7855; the mean over persons was 0.768."""
    pooled = 2 * 0.890 * 0.703 / (0.890 + 0.703)
    assert pooled == pytest.approx(0.7855, abs=1e-4)
    people = {"a": Counts(9, 1, 1), "b": Counts(1, 0, 3), "c": Counts()}
    score = level_score(people, "k", HOW)
    assert score.f1.value == pytest.approx(20 / 25)  # tp 10, fp 1, fn 4
    assert score.macro_f1.value == pytest.approx((0.9 + 0.4) / 2)
    assert score.left_out == 1


def test_paired_pooled_f1_resamples_persons() -> None:
    old = {f"p{at}": Counts(2, 2, 2) for at in range(30)}
    new = {f"p{at}": Counts(3, 1, 1) for at in range(30)}
    found = paired_counts(old, new, "k", HOW)
    assert found.difference == pytest.approx(0.25)  # 6/8 against 4/8
    assert found.relative == pytest.approx(0.5)
    mixed = {f"p{at}": Counts(3, 1, 1) if at % 2 else Counts(1, 3, 3) for at in range(30)}
    even = paired_counts(old, mixed, "k", HOW)
    assert even.difference == pytest.approx(0.0)
    assert not even.excludes_zero


def test_the_gap_of_two_regions_is_resampled_in_each() -> None:
    here = {f"u{at}": Counts(3, 1, 1) for at in range(20)}
    there = {f"n{at}": Counts(2, 2, 2) if at % 2 else Counts(1, 3, 3) for at in range(20)}
    found = gap_between(here, there, "k", HOW)
    assert found.difference == pytest.approx(0.75 - 60 / 160)  # 2 x 30 over 2 x 30 + 50 + 50
    assert found.excludes_zero
    assert gap_between(here, {}, "k", HOW).difference is None


def test_failed_runs_keep_their_cost() -> None:
    costs = [
        PersonCost("a", "p1", False, 2, 5, 1000, 0.1, 3.0),
        PersonCost("a", "p2", True, 10, 50, 9000, 0.9, 30.0),
    ]
    found = spread(costs)
    assert found["searches"].mean == 6
    assert found["tokens"].p90 == 8200  # 1000 + 0.9 x 8000
    unknown = PersonCost("a", "p3", False, 1, 1, None, 0.0, 1.0)
    assert spread([*costs, unknown])["tokens"].mean is None


def test_nobody_beats_the_pareto_set() -> None:
    points = {"cheap": (1.0, 0.5), "best": (9.0, 0.9), "beaten": (9.5, 0.8), "same": (1.0, 0.5)}
    assert pareto(points) == {"cheap", "best", "same"}


def test_wrong_among_hits_and_hits_among_wrong_are_two_numbers() -> None:
    """8 HITs of which 2 are wrong; people call 6 HIT and 14 MISS: share 2/8, rate 2/14."""
    pairs = [
        *[AuditedPair("grounded", "ja", "HIT", "HIT")] * 6,
        *[AuditedPair("grounded", "ja", "HIT", "MISS")] * 2,
        *[AuditedPair("grounded", "en", "MISS", "MISS")] * 12,
    ]
    found = audit(pairs)["grounded", "all"]
    assert (found.false_discovery_share.hits, found.false_discovery_share.total) == (2, 8)
    assert (found.false_positive_rate.hits, found.false_positive_rate.total) == (2, 14)
    assert found.sensitivity.value == 1.0
    # agreed 18/20 = 0.9; by chance 0.4 x 0.3 + 0.6 x 0.7 = 0.54; kappa 0.36 / 0.46
    assert found.kappa == pytest.approx(0.36 / 0.46)
    assert audit(pairs)["grounded", "en"].kappa is None
    with pytest.raises(UserError, match="not above"):
        corrected_by_rate(10, 5, 0.5, 0.5)


def test_correlation_over_persons() -> None:
    assert correlation({"a": 0.1, "b": 0.5, "c": 0.9}, {"a": 0.2, "b": 0.6, "c": 1.0}) == pytest.approx(1.0)
    assert correlation({"a": 0.1, "b": 0.5}, {"a": 0.2, "b": 0.6}) is None
