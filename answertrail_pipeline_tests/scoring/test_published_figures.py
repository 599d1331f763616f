"""The figures that the original published, derived again from rows with its counts."""

import json
from pathlib import Path

import numpy as np
import pytest

from answertrail_pipeline.scoring.identities import violated_identities
from answertrail_pipeline.scoring.intervals import Resampling, bootstrap_ends
from answertrail_pipeline.scoring.metrics import score
from answertrail_pipeline.settings import ScoringSettings
from answertrail_pipeline_tests.scoring.factory import Published, Rows, by_name, published_rows

SETTINGS = ScoringSettings(resamples=200)
# ReAct dense, 3 runs. Longitudinal: ceiling 133 = 85 stated + 48 unused; 97 stated = 85 + 12 violations;
# 306 = 97 + 48 + 161.
REACT_LONGITUDINAL = Published("longitudinal", 35, 102, 3, both=85, unused=48, violations=12, never=161,
                               shift_hits=38, timing=11, grounded=1465, assertions=1495)  # fmt: skip
# Factual: ceiling 138 = 134 + 4; 135 stated = 134 + 1; 159 = 135 + 4 + 20.
REACT_FACTUAL = Published("factual", 25, 53, 3, both=134, unused=4, violations=1, never=20,
                          grounded=402, assertions=417)  # fmt: skip
# Hybrid, 1 run: 41 = 24 + 17; 29 = 24 + 5; 102 = 29 + 17 + 56; shift 14 of 35.
HYBRID_LONGITUDINAL = Published("longitudinal", 35, 102, 1, both=24, unused=17, violations=5, never=56,
                                shift_hits=14, timing=2, grounded=506, assertions=511)  # fmt: skip
# Single shot, 1 run: 28 = 21 + 7; 24 = 21 + 3; 102 = 24 + 7 + 71; shift 8 of 35.
SINGLE_LONGITUDINAL = Published("longitudinal", 35, 102, 1, both=21, unused=7, violations=3, never=71,
                                shift_hits=8, timing=8, grounded=499, assertions=502)  # fmt: skip
# Factual: 43 = 42 + 1; no violations; 53 = 42 + 1 + 10.
SINGLE_FACTUAL = Published("factual", 25, 53, 1, both=42, unused=1, violations=0, never=10,
                           grounded=128, assertions=130)  # fmt: skip

FIGURES = [
    (REACT_LONGITUDINAL, {
        "recall": (97, 306, 31.7), "recall_with_shift": (135, 411, 32.8), "shift_pass": (38, 105, 36.2),
        "ceiling": (133, 306, 43.5), "conversion": (85, 133, 63.9), "synthesis_misses": (48, 209, 23.0),
        "retrieval_misses": (161, 209, 77.0), "violations": (12, 97, 12.4), "timing_misses": (11, 209, 5.3),
        "substance_misses": (198, 209, 94.7), "groundedness": (1465, 1495, 98.0),
        "expressed_or_retrieved": (145, 306, 47.4), "unused": (48, 306, 15.7), "never_retrieved": (161, 306, 52.6),
    }),
    (REACT_FACTUAL, {
        "recall": (135, 159, 84.9), "ceiling": (138, 159, 86.8), "conversion": (134, 138, 97.1),
        "synthesis_misses": (4, 24, 16.7), "retrieval_misses": (20, 24, 83.3), "violations": (1, 135, 0.7),
        "expressed_or_retrieved": (139, 159, 87.4), "unused": (4, 159, 2.5), "never_retrieved": (20, 159, 12.6),
        "groundedness": (402, 417, 96.4),
    }),
    (HYBRID_LONGITUDINAL, {
        "recall": (29, 102, 28.4), "recall_with_shift": (43, 137, 31.4), "shift_pass": (14, 35, 40.0),
        "ceiling": (41, 102, 40.2), "conversion": (24, 41, 58.5), "synthesis_misses": (17, 73, 23.3),
        "retrieval_misses": (56, 73, 76.7), "violations": (5, 29, 17.2), "timing_misses": (2, 73, 2.7),
        "substance_misses": (71, 73, 97.3), "groundedness": (506, 511, 99.0),
    }),
    (SINGLE_LONGITUDINAL, {
        "recall": (24, 102, 23.5), "recall_with_shift": (32, 137, 23.4), "shift_pass": (8, 35, 22.9),
        "ceiling": (28, 102, 27.5), "conversion": (21, 28, 75.0), "synthesis_misses": (7, 78, 9.0),
        "retrieval_misses": (71, 78, 91.0), "violations": (3, 24, 12.5), "timing_misses": (8, 78, 10.3),
        "substance_misses": (70, 78, 89.7), "groundedness": (499, 502, 99.4),
    }),
    (SINGLE_FACTUAL, {
        "recall": (42, 53, 79.2), "ceiling": (43, 53, 81.1), "conversion": (42, 43, 97.7),
        "synthesis_misses": (1, 11, 9.1), "retrieval_misses": (10, 11, 90.9), "violations": (0, 42, 0.0),
        "groundedness": (128, 130, 98.5),
    }),
]  # fmt: skip


@pytest.mark.parametrize(("published", "figures"), FIGURES, ids=lambda value: getattr(value, "tier", ""))
def test_published_figures(published: Published, figures: dict[str, tuple[int, int, float]]) -> None:
    rows = published_rows(published, "arm")
    metrics = score(rows.verdicts, rows.trails, SETTINGS)
    found = by_name(metrics, published.tier)
    for name, (hits, total, percent) in figures.items():
        assert (found[name].hits, found[name].total) == (hits, total), name
        assert round(100 * found[name].value, 1) == percent, name
    assert violated_identities(metrics) == []


def test_single_shot_factual_by_question(shared_data: Path) -> None:
    """The one published arm whose score of every question is known; both intervals within 0.5 points."""
    rows = Rows("single-shot")
    for line in (shared_data / "answertrail" / "factual_gold.jsonl").read_text("utf-8").splitlines():
        gold = json.loads(line)
        question, nuggets = gold["question_id"], len(gold["nuggets"])
        zero = question in ("fc-0001", "fc-0004", "fc-0009", "fc-0042")
        stated = 0 if zero else nuggets - (question == "fc-0017")
        rows.trail(question, nuggets=nuggets)
        for number in range(nuggets):
            label = "HIT" if number < stated else "MISS"
            rows.nugget(question, f"n{number}", "fact", label, label)
    found = by_name(score(rows.verdicts, rows.trails, ScoringSettings()), "factual")
    recall, macro = found["recall"], found["recall_macro"]
    assert (recall.hits, recall.total, recall.questions["fc-0017"]) == (42, 53, (1, 2))
    # 20 questions at 1, one at 0.5, four at 0: 20.5 of 25
    assert (macro.value, macro.total) == (pytest.approx(0.82), 25)
    assert (recall.interval.method, recall.interval.questions) == ("BCa bootstrap over questions", 25)
    assert recall.interval.low == pytest.approx(0.574, abs=0.005)
    assert recall.interval.high == pytest.approx(0.930, abs=0.005)
    columns = [np.array([[cell[part] for cell in recall.questions.values()]], dtype=float) for part in (0, 1)]
    how = Resampling(0.95, 10_000)
    _, [percentile] = bootstrap_ends(columns, lambda h, t: h / t, np.random.default_rng(2), how)
    assert percentile == pytest.approx((0.610, 0.945), abs=0.005)
