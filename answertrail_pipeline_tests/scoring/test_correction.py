from dataclasses import replace

import pytest

from answertrail_pipeline.scoring.correction import _agreeing, corrected, plug_in, ppboot
from answertrail_pipeline.scoring.intervals import Resampling
from answertrail_pipeline.scoring.types import Interval, LabelledPair, Metric

HOW = Resampling(0.95, 4_000)


def published_pairs(tier: str = "longitudinal") -> list[LabelledPair]:
    """The published calibration: both HIT 33, judge HIT and person MISS 4, the reverse 0, both MISS 29."""
    cells = [("HIT", "HIT")] * 33 + [("HIT", "MISS")] * 4 + [("MISS", "MISS")] * 29
    return [
        LabelledPair("judge-1", f"p{n:02d}", "recall", tier, f"q{n % 22:02d}", judge, person)
        for n, (judge, person) in enumerate(cells)
    ]


def pooled(hits: int, total: int, tier: str, questions: int = 35) -> Metric:
    base, more = divmod(total, questions)
    got, extra = divmod(hits, questions)
    sums = {f"q{n:02d}": (float(got + (n < extra)), float(base + (n < more))) for n in range(questions)}
    assert sum(h for h, _ in sums.values()) == hits
    return Metric(tier, "recall_with_shift", hits, total, hits / total, Interval(None, None, ""), questions=sums)


@pytest.mark.parametrize(
    ("hits", "total", "tier", "points"),
    [
        # 135/411 x 33/37 + 276/411 x 0/29 = 0.32847 x 0.89189
        (135, 411, "longitudinal", 29.3),
        # 135/159 x 33/37 = 0.84906 x 0.89189
        (135, 159, "factual", 75.7),
    ],
)
def test_published_correction(hits: int, total: int, tier: str, points: float) -> None:
    found = {one.method: one for one in corrected(pooled(hits, total, tier), published_pairs("both"), HOW)}
    one = found["PPV/NPV plug-in"]
    assert round(100 * one.value, 1) == points
    assert one.note == "one PPV and NPV for all tiers assumed"
    assert one.pairs == 66
    assert one.interval.low < one.value < one.interval.high
    assert "PPBoot" not in found  # no pair of this tier


def test_the_plug_in_interval_is_wider_than_the_ratio_alone() -> None:
    metric = pooled(135, 411, "longitudinal")
    few = published_pairs()[::6] + published_pairs()[33:37]
    wide, narrow = plug_in(metric, few, HOW, ""), plug_in(metric, published_pairs() * 20, HOW, "")
    assert wide.interval.high - wide.interval.low > 1.5 * (narrow.interval.high - narrow.interval.low)


def test_pairs_count_for_what_they_stand_for() -> None:
    """Three right HITs that stand for 3 pairs each and three wrong ones for themselves: PPV 9/12, not 3/6."""
    of = "judge-1", "recall", "factual"
    pairs = [
        *(LabelledPair(of[0], f"h{n}", *of[1:], f"q{n:02d}", "HIT", "HIT", 3.0) for n in range(3)),
        *(LabelledPair(of[0], f"w{n}", *of[1:], f"q{n + 3:02d}", "HIT", "MISS", 1.0) for n in range(3)),
        *(LabelledPair(of[0], f"m{n}", *of[1:], f"q{n + 6:02d}", "MISS", "MISS", 1.0) for n in range(5)),
    ]
    one = plug_in(pooled(20, 40, "factual", 20), pairs, HOW, "")
    # 0.5 x 9/12 + 0.5 x 0/5 = 0.375; without weights it would be 0.5 x 3/6 = 0.25.
    assert one.value == pytest.approx(0.375)


def test_unequal_weights_know_less() -> None:
    # 12^2/(3 x 9 + 3 x 1) = 144/30 = 4.8 effective pairs of 6, of which 9/12 are right: 3.6.
    pairs = [
        LabelledPair("j", f"p{n}", "recall", "factual", f"q{n}", "HIT", "HIT" if n < 3 else "MISS", w)
        for n, w in enumerate([3.0] * 3 + [1.0] * 3)
    ]
    assert _agreeing(pairs, "HIT") == pytest.approx((3.6, 4.8))
    assert _agreeing([replace(pair, weight=2.0) for pair in pairs], "HIT") == pytest.approx((3.0, 6.0))
    assert _agreeing(pairs, "MISS") == (0.0, 0.0)


def test_without_labels_of_one_verdict_there_is_no_plug_in() -> None:
    one = plug_in(pooled(10, 40, "factual"), published_pairs()[:30], HOW, "")
    assert (one.value, one.interval.reason) == (None, "no labelled pair that the judge called a MISS")


def test_ppboot_by_hand() -> None:
    # judge ratio 20/40 = 0.5; errors: one of 4 pairs, weights 1, 1, 1, 3 with the error on the heavy one: -3/6
    metric = pooled(20, 40, "factual", 20)
    pairs = [
        LabelledPair("judge-1", "a", "recall", "factual", "q00", "HIT", "HIT", 1.0),
        LabelledPair("judge-1", "b", "recall", "factual", "q01", "MISS", "MISS", 1.0),
        LabelledPair("judge-1", "c", "recall", "factual", "q02", "MISS", "MISS", 1.0),
        LabelledPair("judge-1", "d", "recall", "factual", "q03", "HIT", "MISS", 3.0),
    ]
    one = ppboot(metric, pairs, HOW)
    assert one.value == pytest.approx(0.0)
    assert one.interval.method == "linearised t over questions"
    assert one.interval.questions == 4


def test_ppboot_resamples_by_question_with_enough_labels() -> None:
    one = ppboot(pooled(135, 411, "longitudinal"), published_pairs(), HOW)
    # 135/411 - 4/66
    assert one.value == pytest.approx(0.32847 - 0.06061, abs=1e-4)
    assert one.interval.method == "BCa bootstrap over questions"
    assert one.interval.low < one.value < one.interval.high
    assert one.note == "66 labelled pairs on 22 questions"


def test_ppboot_on_one_labelled_question() -> None:
    one = ppboot(pooled(20, 40, "factual"), published_pairs("factual")[:1], HOW)
    assert (one.interval.low, one.interval.reason) == (None, "labels on one question")


def test_a_correction_beyond_what_a_share_can_be_is_none() -> None:
    # The judge was wrong on 8 of 8 labelled HITs of other answers: 8/120 - 1 is no share.
    pairs = [LabelledPair("j", f"p{n}", "recall", "factual", f"q{n:02d}", "HIT", "MISS") for n in range(8)]
    one = ppboot(pooled(8, 120, "factual", 30), pairs, HOW)
    assert (one.value, one.interval.low, one.interval.high) == (None, None, None)
    assert one.interval.reason == "the labels would make it -93.3%: they are of other answers"


def test_the_ends_of_a_correction_stay_within_a_share() -> None:
    pairs = [
        LabelledPair("j", f"p{n}", "recall", "factual", f"q{n:02d}", "HIT", "MISS" if n % 3 else "HIT")
        for n in range(30)
    ]
    one = ppboot(pooled(42, 60, "factual", 30), pairs, HOW)
    # 42/60 - 20/30 = 0.0333, which resampling would also put below 0
    assert one.value == pytest.approx(0.7 - 2 / 3)
    assert one.interval.low == 0.0
    assert one.value < one.interval.high < 0.3


@pytest.mark.parametrize("labelled", [5, 25])
def test_no_variation_leaves_no_interval_of_a_correction(labelled: int) -> None:
    pairs = [LabelledPair("j", f"p{n}", "recall", "factual", f"q{n:02d}", "HIT", "HIT") for n in range(labelled)]
    pairs.append(LabelledPair("j", "m", "recall", "factual", "q00", "MISS", "MISS"))
    for one in corrected(pooled(120, 120, "factual", 30), pairs, HOW):
        assert (one.value, one.interval.low, one.interval.reason) == (1.0, None, "no variation between questions")
    assert "no error of the judge among them" in ppboot(pooled(100, 120, "factual", 30), pairs, HOW).note


def test_labels_on_many_questions_say_nothing_of_a_metric_over_few() -> None:
    """Draws that miss all three questions of the metric would be 0/0."""
    pairs = [
        LabelledPair("j", f"p{n}", "recall", "factual", f"z{n:02d}", "HIT", "MISS" if n % 5 == 0 else "HIT")
        for n in range(40)
    ]
    one = ppboot(pooled(7, 9, "factual", 3), pairs, HOW)
    assert (one.interval.method, one.interval.questions, one.interval.indicative) == (
        "linearised t over questions", 3, True,
    )  # fmt: skip
    alone = ppboot(pooled(3, 5, "factual", 1), pairs, HOW)
    assert (alone.interval.low, alone.interval.reason) == (None, "one question")


def test_pairs_not_drawn_by_verdict_allow_no_plug_in() -> None:
    pairs = [
        LabelledPair("judge-1", "a", "recall", "factual", f"q{n:02d}", "HIT", "HIT", 1.0, False) for n in range(5)
    ]
    assert [one.method for one in corrected(pooled(20, 40, "factual"), pairs, HOW)] == ["PPBoot"]


def test_nothing_to_correct_with() -> None:
    assert corrected(pooled(20, 40, "factual"), [], HOW) == []
