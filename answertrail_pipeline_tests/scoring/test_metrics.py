import json
import math
from dataclasses import asdict, replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.scoring.identities import violated_identities
from answertrail_pipeline.scoring.items import tally
from answertrail_pipeline.scoring.metrics import score
from answertrail_pipeline.settings import ScoringSettings
from answertrail_pipeline_tests.scoring.factory import Rows, by_name

SETTINGS = ScoringSettings(resamples=100, max_unscored_share=1.0)


def scored(rows: Rows, tier: str = "factual", settings: ScoringSettings = SETTINGS) -> dict:
    return by_name(score(rows.verdicts, rows.trails, settings), tier)


def test_an_empty_answer_stays_in_the_denominator() -> None:
    """V6: MISS by rule on every nugget, and no assertions."""
    rows = Rows()
    rows.trail("q1", nuggets=2, abstained=True)
    for nugget in ("n1", "n2"):
        rows.nugget("q1", nugget, "fact", "MISS", "HIT", by_rule=True)
    rows.trail("q2", nuggets=2)
    for nugget in ("n1", "n2"):
        rows.nugget("q2", nugget, "fact", "HIT", "HIT")
    rows.assertions("q2", 3, 3)
    found = scored(rows)
    assert (found["recall"].hits, found["recall"].total) == (2, 4)
    assert (found["groundedness"].hits, found["groundedness"].total) == (3, 3)
    assert found["groundedness"].left_out == ("q1",)
    assert (found["answered_nothing"].hits, found["answered_nothing"].total) == (1, 2)


def test_an_answer_without_assertions_leaves_groundedness_undefined() -> None:
    """V7: null with a reason where there is nothing else, and no NaN in JSON."""
    rows = Rows()
    rows.trail("q1", nuggets=1)
    rows.nugget("q1", "n1", "fact", "MISS", "MISS")
    metric = scored(rows)["groundedness"]
    assert (metric.value, metric.hits, metric.total, metric.reason) == (None, 0, 0, "no assertions")
    json.dumps([asdict(one) for one in scored(rows).values()], allow_nan=False, default=str)


def test_a_question_without_nuggets_is_in_no_denominator() -> None:
    """V8: not even in groundedness or the profile."""
    rows = Rows()
    rows.trail("q1", nuggets=1)
    rows.nugget("q1", "n1", "fact", "HIT", "HIT")
    rows.trail("q2", nuggets=0, searches=100)
    rows.assertions("q2", 0, 5)
    found = scored(rows)
    assert (found["recall"].hits, found["recall"].total) == (1, 1)
    assert found["groundedness"].total == 0
    assert (found["searches"].hits, found["searches"].total) == (4, 1)


def test_a_question_without_nuggets_alone_gives_undefined_numbers() -> None:
    """V8: no traceback when it is the only one."""
    rows = Rows()
    rows.trail("q1", nuggets=0)
    found = scored(rows)
    assert found["recall"].value is None
    assert found["recall"].reason == "no headline nuggets"
    assert found["recall_macro"].value is None
    assert found["searches"].reason == "no trails"
    assert violated_identities(found.values()) == []


def test_a_segregated_trap_is_in_no_denominator() -> None:
    rows = Rows()
    rows.trail("lc-1", tier="longitudinal", nuggets=1)
    rows.nugget("lc-1", "n1", "stance", "HIT", "HIT", tier="longitudinal")
    rows.trail("lc-trap", tier="longitudinal", nuggets=2, question_state="segregated")
    rows.nugget("lc-trap", "n1", "stance", "MISS", "MISS", tier="longitudinal")
    rows.nugget("lc-trap", "n2", "no_change", "MISS", "MISS", tier="longitudinal")
    found = scored(rows, "longitudinal")
    assert (found["recall"].hits, found["recall"].total) == (1, 1)
    assert "no_change_pass" not in found


def test_one_question_three_of_five() -> None:
    """V11: 0.6, no interval, with the reason."""
    rows = Rows()
    rows.trail("q1", nuggets=5)
    for number, label in enumerate(("HIT", "HIT", "HIT", "MISS", "MISS")):
        rows.nugget("q1", f"n{number}", "fact", label, "HIT")
    recall = scored(rows)["recall"]
    assert recall.value == pytest.approx(0.6)
    assert (recall.interval.low, recall.interval.high, recall.interval.reason) == (None, None, "one question")


def test_unscored_items_are_counted_and_bound_the_number() -> None:
    rows = Rows()
    for question, labels in {"q1": ["HIT", "HIT", None], "q2": ["MISS", "HIT", None]}.items():
        rows.trail(question, nuggets=3)
        for number, label in enumerate(labels):
            rows.nugget(question, f"n{number}", "fact", label, "HIT")
    recall = scored(rows)["recall"]
    # scored: 3 of 4; both unscored a MISS: 3 of 6; both a HIT: 5 of 6
    assert (recall.hits, recall.total, recall.unscored) == (3, 4, 2)
    assert recall.bound_low == pytest.approx(3 / 6)
    assert recall.bound_high == pytest.approx(5 / 6)
    # by question: 2/2 and 1/2; at worst 2/3 and 1/3, at best 3/3 and 2/3
    macro = scored(rows)["recall_macro"]
    assert (macro.value, macro.unscored) == (pytest.approx(3 / 4), 2)
    assert (macro.bound_low, macro.bound_high) == (pytest.approx(1 / 2), pytest.approx(5 / 6))


def test_where_everything_is_unscored_the_number_is_undefined_and_bounded() -> None:
    rows = Rows()
    rows.trail("q1", nuggets=2)
    for item in ("n1", "n2"):
        rows.nugget("q1", item, "fact", None, "HIT")
    recall = scored(rows)["recall"]
    assert (recall.value, recall.reason) == (None, "no headline nuggets with a verdict, 2 unscored")
    assert (recall.bound_low, recall.bound_high) == (0, 1)
    macro = scored(rows)["recall_macro"]
    assert (macro.value, macro.reason, macro.unscored) == (None, recall.reason, 2)


def test_conversion_bounds_take_the_worst_of_both_words() -> None:
    rows = Rows()
    rows.trail("q1", nuggets=4)
    rows.nugget("q1", "n1", "fact", "HIT", "HIT")
    rows.nugget("q1", "n2", "fact", "MISS", "HIT")
    rows.nugget("q1", "n3", "fact", "HIT", None)  # a hit of the conversion, or outside it
    rows.nugget("q1", "n4", "fact", "MISS", None)  # a miss of the conversion, or outside it
    conversion = scored(rows)["conversion"]
    assert (conversion.hits, conversion.total, conversion.unscored) == (1, 2, 2)
    # least: n3 outside, n4 a miss: 1 of 3; most: n3 a hit, n4 outside: 2 of 3
    assert (conversion.bound_low, conversion.bound_high) == (pytest.approx(1 / 3), pytest.approx(2 / 3))


def test_too_many_unscored_refuse_and_exactly_the_limit_does_not() -> None:
    """V5: ten percent is allowed, more is not; the purpose and the counts are named."""
    rows = Rows()
    rows.trail("q1", nuggets=10)
    for number in range(10):
        rows.nugget("q1", f"n{number}", "fact", None if number == 0 else "HIT")
    limited = ScoringSettings(resamples=100, max_unscored_share=0.1)
    assert scored(rows, settings=limited)["recall"].unscored == 1
    rows.verdicts[1] = replace(rows.verdicts[1], label=None, unscored="no_valid_object")
    with pytest.raises(UserError, match=r"2 of 10 recall verdicts unscored \(20.0%, more than max_unscored_share"):
        scored(rows, settings=limited)


def test_many_groundedness_verdicts_do_not_hide_unscored_recall() -> None:
    rows = Rows()
    rows.trail("q1", nuggets=2)
    rows.nugget("q1", "n1", "fact", None)
    rows.nugget("q1", "n2", "fact", "HIT")
    rows.assertions("q1", 500, 500)
    with pytest.raises(UserError, match="1 of 2 recall verdicts unscored"):
        scored(rows, settings=ScoringSettings(resamples=100, max_unscored_share=0.1))


def test_a_failed_trail_is_never_a_miss() -> None:
    rows = Rows()
    rows.trail("q1", nuggets=1, state="error", error="timeout: no reply in 600 s")
    rows.trail("q2", nuggets=1)
    rows.nugget("q2", "n1", "fact", "HIT", "HIT")
    with pytest.raises(UserError, match=r"question q1 is error \(timeout: no reply in 600 s\)"):
        scored(rows)


def test_a_nugget_without_a_verdict_refuses() -> None:
    rows = Rows()
    rows.trail("q1", nuggets=3)
    rows.nugget("q1", "n1", "fact", "HIT", "HIT")
    with pytest.raises(UserError, match="question q1 has 1 recall verdicts for 3 nuggets"):
        scored(rows)


def test_the_split_of_misses_is_undefined_until_every_missed_stance_is_classified() -> None:
    rows = Rows()
    rows.trail("q1", tier="longitudinal", nuggets=3)
    rows.nugget("q1", "n1", "stance", "MISS", "HIT", tier="longitudinal", miss_kind="timing")
    rows.nugget("q1", "n2", "stance", "MISS", "HIT", tier="longitudinal", miss_kind="substance")
    rows.nugget("q1", "n3", "stance", "HIT", "HIT", tier="longitudinal")
    found = scored(rows, "longitudinal")
    assert (found["timing_misses"].hits, found["timing_misses"].total) == (1, 2)
    rows.verdicts[2] = replace(rows.verdicts[2], miss_kind=None)
    found = scored(rows, "longitudinal")
    assert found["timing_misses"].value is None
    assert found["timing_misses"].reason == "1 of the missed stance nuggets have no verdict for this"


def test_an_agent_that_tells_nothing_of_its_retrieval_has_no_ceiling() -> None:
    rows = Rows()
    rows.trail("q1", nuggets=1, reports_retrieval=False)
    rows.nugget("q1", "n1", "fact", "HIT")
    found = scored(rows)
    assert found["recall"].value == 1.0
    for name in ("ceiling", "conversion", "violations", "unused"):
        assert found[name].value is None
        assert found[name].reason
    assert found["chunks"].reason == "not reported for 1 of 1 trails"


def test_an_unknown_price_is_not_zero() -> None:
    rows = Rows()
    for question, cost in (("q1", Decimal("0.10")), ("q2", None)):
        rows.trail(question, nuggets=1, cost_usd=cost)
        rows.nugget(question, "n1", "fact", "HIT", "HIT")
    found = scored(rows)
    assert found["cost_usd"].value is None
    assert found["cost_per_nugget"].reason == "not reported for 1 of 2 trails"


def test_cost_per_nugget_counts_what_was_spent_in_vain() -> None:
    rows = Rows()
    for number in range(12):
        rows.trail(f"q{number:02d}", nuggets=1, cost_usd=Decimal("0.10"))
        rows.nugget(f"q{number:02d}", "n1", "fact", "HIT" if number < 8 else "MISS", "HIT")
    metric = scored(rows)["cost_per_nugget"]
    # 12 x 0.10 over 8 nuggets; nuggets per dollar is 80/12, and its interval turned over holds 0.15
    assert metric.value == pytest.approx(0.15)
    assert 0 < metric.interval.low < 0.15 < metric.interval.high


def test_abstention_runs_over_unanswerable_questions_only() -> None:
    rows = Rows()
    rows.trail("q1", nuggets=1)
    rows.nugget("q1", "n1", "fact", "HIT", "HIT")
    for number, abstained in enumerate((True, True, False)):
        rows.trail(f"u{number}", nuggets=0, question_state="segregated", unanswerable=True, abstained=abstained)
    found = scored(rows)
    assert (found["abstention"].hits, found["abstention"].total) == (2, 3)
    assert (found["answered_nothing"].hits, found["answered_nothing"].total) == (0, 1)


def test_recall_by_author() -> None:
    rows = Rows()
    rows.trail("q1", nuggets=3)
    rows.nugget("q1", "n1", "fact", "HIT", "HIT", written_by="person")
    rows.nugget("q1", "n2", "fact", "MISS", "HIT", written_by="person")
    rows.nugget("q1", "n3", "fact", "HIT", "HIT", written_by="model")
    found = scored(rows)
    assert (found["recall_written_by_person"].hits, found["recall_written_by_person"].total) == (1, 2)
    assert (found["recall_written_by_model"].hits, found["recall_written_by_model"].total) == (1, 1)
    assert "recall_written_by_rules" not in found


def test_findings_name_each_violation_and_each_unscored_item() -> None:
    rows = Rows()
    rows.nugget("q1", "n1", "fact", "HIT", "MISS")
    rows.nugget("q1", "n2", "fact", None, "HIT")
    [made] = tally(rows.verdicts)
    assert [(one.what, one.item_id, one.purpose, one.detail) for one in made.findings] == [
        ("violation", "n1", "recall", ""),
        ("unscored", "n2", "recall", "timeout"),
    ]


def test_a_fact_beside_the_stances_is_in_no_headline_and_no_violation() -> None:
    rows = Rows()
    rows.trail("q1", tier="longitudinal", nuggets=2)
    rows.nugget("q1", "n1", "stance", "HIT", "HIT", tier="longitudinal")
    rows.nugget("q1", "n2", "fact", "HIT", "MISS", tier="longitudinal")
    found = scored(rows, "longitudinal")
    assert (found["recall"].hits, found["recall"].total, found["violations"].hits) == (1, 1, 0)
    [made] = tally(rows.verdicts)
    assert made.findings == []


WORDS = st.sampled_from(["HIT", "MISS", None])


@given(st.lists(st.tuples(st.sampled_from(["stance", "shift"]), WORDS, WORDS), min_size=1, max_size=25))
def test_identities_and_bounds_hold_whatever_is_unscored(items: list[tuple[str, str | None, str | None]]) -> None:
    rows = Rows()
    rows.trail("q1", tier="longitudinal", nuggets=len(items))
    for number, (kind, recall, ceiling) in enumerate(items):
        miss_kind = ("timing" if number % 3 else "substance") if recall == "MISS" and kind == "stance" else None
        asked = "absent" if kind == "shift" else ceiling
        rows.nugget("q1", f"n{number}", kind, recall, asked, tier="longitudinal", miss_kind=miss_kind)
    metrics = score(rows.verdicts, rows.trails, SETTINGS)
    assert violated_identities(metrics) == []
    for metric in metrics:
        assert metric.value is None or math.isfinite(metric.value)


@pytest.mark.parametrize("name", ["synthesis_misses", "violations", "timing_misses", "shift_pass"])
def test_an_identity_that_fails_is_named_with_its_numbers(name: str) -> None:
    rows = Rows()
    rows.trail("q1", tier="longitudinal", nuggets=3)
    rows.nugget("q1", "n1", "stance", "HIT", "MISS", tier="longitudinal")
    rows.nugget("q1", "n2", "stance", "MISS", "HIT", tier="longitudinal", miss_kind="timing")
    rows.nugget("q1", "n3", "shift", "HIT", tier="longitudinal")
    metrics = score(rows.verdicts, rows.trails, SETTINGS)
    assert violated_identities(metrics) == []
    tampered = [replace(one, hits=one.hits + 1) if one.name == name else one for one in metrics]
    assert any("fails" in wrong for wrong in violated_identities(tampered))
