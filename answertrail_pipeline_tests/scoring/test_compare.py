import os
import subprocess
from datetime import UTC, datetime
from hashlib import sha256
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.scoring.compare import COMPARED, compare, holm, null_parts, sign_flip_p, with_holm
from answertrail_pipeline.scoring.gate import GateExit, gate
from answertrail_pipeline.scoring.hypotheses import mark_planned, read_registration
from answertrail_pipeline.scoring.intervals import Resampling
from answertrail_pipeline.scoring.metrics import score
from answertrail_pipeline.scoring.types import Interval, Metric, QuestionSums
from answertrail_pipeline.settings import ScoringSettings
from answertrail_pipeline_tests.scoring.factory import Published, by_name, published_rows
from answertrail_pipeline_tests.scoring.test_published_figures import (
    HYBRID_LONGITUDINAL,
    REACT_FACTUAL,
    REACT_LONGITUDINAL,
    SINGLE_FACTUAL,
    SINGLE_LONGITUDINAL,
)

HOW = Resampling(0.95, 2_000)


def metric(sums: QuestionSums, name: str = "recall") -> dict[str, Metric]:
    hits, total = sum(h for h, _ in sums.values()), sum(t for _, t in sums.values())
    return {name: Metric("factual", name, hits, total, hits / total, Interval(None, None, "none"), questions=sums)}


def of(published: Published, arm: str) -> dict[str, Metric]:
    rows = published_rows(published, arm)
    return by_name(score(rows.verdicts, rows.trails, ScoringSettings(resamples=100)), published.tier)


@pytest.mark.parametrize(
    ("new", "old", "metric", "points"),
    [
        # 29/102 - 97/306 = 28.43 - 31.70; with shift 43/137 - 135/411 = 31.39 - 32.85
        (HYBRID_LONGITUDINAL, REACT_LONGITUDINAL, "recall", -3.3),
        (HYBRID_LONGITUDINAL, REACT_LONGITUDINAL, "recall_with_shift", -1.46),
        # 135/159 - 42/53 = 84.91 - 79.25
        (REACT_FACTUAL, SINGLE_FACTUAL, "recall", 5.7),
        # 97/306 - 24/102 = 31.70 - 23.53; with shift 135/411 - 32/137 = 32.85 - 23.36
        (REACT_LONGITUDINAL, SINGLE_LONGITUDINAL, "recall", 8.2),
        (REACT_LONGITUDINAL, SINGLE_LONGITUDINAL, "recall_with_shift", 9.5),
    ],
)
def test_published_differences(new: Published, old: Published, metric: str, points: float) -> None:
    found = {one.metric: one for one in compare(new.tier, "new", "old", of(new, "new"), of(old, "old"), HOW)}
    one = found[metric]
    assert 100 * one.difference == pytest.approx(points, abs=0.05 if points != -1.46 else 0.005)
    assert one.questions == new.questions
    assert one.interval.low < one.difference < one.interval.high


def test_only_shared_questions_count() -> None:
    new = metric({"a": (1, 1), "b": (0, 1), "only-new": (1, 1)})
    old = metric({"a": (0, 1), "b": (0, 1), "only-old": (1, 1)})
    [one] = compare("factual", "new", "old", new, old, HOW)
    assert (one.questions, one.not_shared) == (2, ("only-new", "only-old"))
    assert (one.new_hits, one.new_total, one.old_hits, one.old_total, one.difference) == (1, 2, 0, 2, 0.5)


def test_sign_flip_p_is_the_exact_sign_test_where_differences_are_equal() -> None:
    # 9 questions won by the same amount, 1 lost: the two-sided sign test, 2 x (1 + 10) / 1024
    new = np.array([1.0] * 9 + [0.0])
    old = np.array([0.0] * 9 + [1.0])
    ones = np.ones(10)
    expected = binomtest(9, 10).pvalue
    assert expected == pytest.approx(22 / 1024)
    assert sign_flip_p([null_parts(new, ones, old, ones)], "k", HOW) == pytest.approx([expected])


def test_sign_flip_p_by_enumeration() -> None:
    new, old = np.array([3.0, 2.0, 4.0, 1.0, 2.0]), np.array([1.0, 2.0, 1.0, 2.0, 0.0])
    totals = np.full(5, 4.0)
    parts = (new - old) / totals.sum()
    sums = [sum(s * p for s, p in zip(signs, parts, strict=True)) for signs in product((1, -1), repeat=5)]
    as_large = sum(abs(total) >= abs(parts.sum()) - 1e-12 for total in sums) / 32
    assert null_parts(new, totals, old, totals) == pytest.approx(parts)
    same = np.zeros(5)
    assert sign_flip_p([parts, same], "k", HOW) == pytest.approx([as_large, 1.0])


def test_sign_flip_p_of_equal_arms_with_unequal_totals_is_not_small() -> None:
    # three runs against one: same ratio in every question, so nothing differs although the sums do
    new, old = np.array([3.0, 0.0, 6.0]), np.array([1.0, 0.0, 2.0])
    parts = null_parts(new, np.array([6.0, 3.0, 9.0]), old, np.array([2.0, 1.0, 3.0]))
    assert parts == pytest.approx([0.0, 0.0, 0.0])
    assert sign_flip_p([parts], "k", HOW) == [1.0]


def test_holm_by_hand() -> None:
    # ordered 0.01, 0.02, 0.04: times 3, 2, 1 = 0.03, 0.04, 0.04
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([]) == []
    assert holm([0.6, 0.9]) == [1.0, 1.0]


def test_detectable_difference_by_hand() -> None:
    # differences of 4 questions: 1, 0, 1, 0 with one item each; residuals +-0.125; their squares sum to 0.0625,
    # times 4/3 gives SE 0.288675; t(3) quantiles 3.182446 + 0.978472
    new = metric({"a": (1, 1), "b": (0, 1), "c": (1, 1), "d": (0, 1)})
    old = metric(dict.fromkeys("abcd", (0, 1)))
    [one] = compare("factual", "new", "old", new, old, HOW)
    assert one.detectable == pytest.approx((3.182446 + 0.978472) * 0.288675, rel=1e-5)


def test_without_variation_nothing_says_what_could_show() -> None:
    same = metric(dict.fromkeys("abcd", (1, 2)))
    [one] = compare("factual", "new", "old", same, same, HOW)
    assert (one.difference, one.interval.low, one.detectable) == (0.0, None, None)


def steady(share: float, questions: int = 30) -> dict[str, Metric]:
    return metric({f"q{n:02d}": (share * 4 + (n % 3 == 0), 5) for n in range(questions)})


def test_gate_fails_on_a_proven_drop_only() -> None:
    old, slightly, badly = steady(0.8), steady(0.78), steady(0.4)
    noisy = metric({f"q{n:02d}": (5 if n % 2 else 2, 5) for n in range(30)})
    assert gate("factual", slightly, old, 0.03, HOW).exit is GateExit.PASSED
    failed = gate("factual", badly, old, 0.03, HOW)
    assert failed.exit is GateExit.FAILED
    assert failed.exit == 3
    assert "FAILED" in failed.sentence
    assert gate("factual", noisy, noisy, 0.03, HOW).exit is GateExit.PASSED


def test_gate_warns_where_only_the_point_is_below_and_noninferior_fails_there() -> None:
    old = metric({f"q{n:02d}": (n % 5 + (n % 10 == 0), 5) for n in range(30)})
    new = metric({f"q{n:02d}": ((n + 2) % 5, 5) for n in range(30)})
    result = gate("factual", new, old, 0.01, HOW)
    assert result.comparison is not None
    assert result.comparison.difference < -0.01 < result.comparison.interval.high
    assert (result.exit, result.warning) == (GateExit.PASSED, True)
    assert result.detectable > 0.05
    assert gate("factual", new, old, 0.01, HOW, noninferior=True).exit is GateExit.FAILED


def test_gate_cannot_decide_on_one_question() -> None:
    one = metric({"q1": (1, 2)})
    assert gate("factual", one, one, 0.03, HOW).exit is GateExit.UNDECIDED
    assert gate("factual", metric({"a": (1, 2)}), metric({"b": (1, 2)}), 0.03, HOW).exit is GateExit.UNDECIDED


def test_gate_decides_by_the_difference_where_it_is_the_same_everywhere() -> None:
    old = metric({f"q{n}": (4, 5) for n in range(6)})
    new = metric({f"q{n}": (3, 5) for n in range(6)})
    assert gate("factual", new, old, 0.03, HOW).exit is GateExit.FAILED
    assert gate("factual", old, old, 0.03, HOW).exit is GateExit.PASSED
    word = gate("factual", new, old, 0.03, HOW).sentence
    assert "(no interval: " in word
    # From 5/5 to 4/5 is 20 points, 0.8 - 1.0 = -0.19999999999999996 or so: exactly the margin is borne.
    full = metric({f"q{n}": (5, 5) for n in range(6)})
    assert gate("factual", old, full, 0.2, HOW).exit is GateExit.PASSED
    assert gate("factual", old, full, 0.19, HOW).exit is GateExit.FAILED


HYPOTHESES = """
[[hypothesis]]
id = "new-is-better"
arm = "new"
against = "old"
tier = "factual"
direction = "higher"
"""


def test_planned_comparisons_are_a_family_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "hypotheses.toml").write_text(HYPOTHESES)
    registration = read_registration(tmp_path)
    assert registration is not None
    assert (registration.committed_at, registration.problem) == (None, "not under version control")
    better, worse = steady(0.9), steady(0.4)
    found = [
        *compare("factual", "new", "old", better, worse, HOW),
        *compare("factual", "new", "third", better, worse, HOW),
        *compare("factual", "old", "third", worse, worse, HOW),
    ]
    marked = mark_planned(found, registration, 0.95)
    planned = [one for one in marked if one.hypothesis]
    assert [(one.new, one.old, one.holds, one.direction) for one in planned] == [("new", "old", True, "higher")]
    assert planned[0].p_holm == planned[0].p  # a family of one
    unplanned = {(one.new, one.old): one for one in marked if not one.hypothesis}
    third = unplanned["new", "third"]
    assert third.p_holm == pytest.approx(min(1.0, 2 * third.p))  # a family of two
    assert third.holds is None


def test_the_time_of_a_registration_is_that_of_its_last_commit(tmp_path: Path) -> None:
    def git(*arguments: str, **environment: str) -> None:
        command = [
            "git",
            "-C",
            str(tmp_path),
            "-c",
            "user.name=ada",
            "-c",
            "user.email=ada@example.org",
            *arguments,
        ]
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environment})

    path = tmp_path / "hypotheses.toml"
    path.write_text(HYPOTHESES)
    git("init")
    assert read_registration(tmp_path).problem == "never committed"  # type: ignore[union-attr]
    git("add", "hypotheses.toml")
    git("commit", "-m", "Plan", GIT_COMMITTER_DATE="2026-03-01T10:00:00+0000")
    made = read_registration(tmp_path)
    assert made is not None
    assert (made.committed_at, made.problem) == (datetime(2026, 3, 1, 10, tzinfo=UTC), None)
    assert made.sha256 == sha256(HYPOTHESES.encode()).hexdigest()
    path.write_text(HYPOTHESES.replace("higher", "lower"))
    changed = read_registration(tmp_path)
    assert changed is not None
    assert (changed.committed_at, changed.problem) == (None, "changed since it was committed")
    git("commit", "-am", "Turn it", GIT_COMMITTER_DATE="2026-04-01T10:00:00+0000")
    assert read_registration(tmp_path).committed_at == datetime(2026, 4, 1, 10, tzinfo=UTC)  # type: ignore[union-attr]


def test_a_hypothesis_in_the_wrong_direction_does_not_hold(tmp_path: Path) -> None:
    (tmp_path / "hypotheses.toml").write_text(HYPOTHESES.replace("higher", "lower"))
    marked = mark_planned(
        compare("factual", "new", "old", steady(0.9), steady(0.4), HOW), read_registration(tmp_path), 0.95
    )
    assert marked[0].holds is False


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[hypothesis]]\nid = 1", "does not fit"),
        (HYPOTHESES + HYPOTHESES, "two hypotheses `new-is-better`"),
        (HYPOTHESES + 'metric = "steps"', "compares `steps`"),
    ],
)
def test_a_hypotheses_file_that_does_not_fit(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "hypotheses.toml").write_text(text)
    with pytest.raises(UserError, match=problem):
        read_registration(tmp_path)


def test_no_hypotheses_file(tmp_path: Path) -> None:
    assert read_registration(tmp_path) is None


def test_only_compared_shares_are_compared() -> None:
    assert {one.metric for one in compare("longitudinal", "a", "b", of(HYBRID_LONGITUDINAL, "a"),
                                          of(SINGLE_LONGITUDINAL, "b"), HOW)} <= set(COMPARED)  # fmt: skip
    assert with_holm([]) == []
