"""A scoreboard with everything that a report can show, from made rows."""

import random
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache

from answertrail_pipeline.judging.calibration import LabelledPair, calibrate
from answertrail_pipeline.judging.types import Label
from answertrail_pipeline.reporting.details import Details, Disagreement, NuggetDetail, QuestionDetail
from answertrail_pipeline.scoring.board import Scoreboard
from answertrail_pipeline.scoring.build import build_scoreboard
from answertrail_pipeline.scoring.hypotheses import Hypothesis, Registration
from answertrail_pipeline.scoring.source import calibration_word
from answertrail_pipeline_tests.scoring.factory import Published, Rows, published_rows
from answertrail_pipeline_tests.scoring.memory import MemorySource
from answertrail_pipeline_tests.scoring.test_correction import published_pairs
from answertrail_pipeline_tests.scoring.test_published_figures import (
    HYBRID_LONGITUDINAL,
    REACT_FACTUAL,
    REACT_LONGITUDINAL,
    SINGLE_FACTUAL,
    SINGLE_LONGITUDINAL,
)

HYBRID_FACTUAL = Published(
    "factual", 25, 53, 1, both=44, unused=1, violations=0, never=8, grounded=130, assertions=133
)
COSTS = {"react-dense": ("0.052", "0.121"), "react-hybrid": ("0.058", "0.134"), "single-shot": ("0.011", "0.012")}
HOSTILE = '<script>alert("x")</script>'


def arm(name: str, factual: Published, longitudinal: Published) -> Rows:
    made = Rows(name)
    for prefix, published, cost in zip(("fc", "lc"), (factual, longitudinal), COSTS[name], strict=True):
        rows = published_rows(published, name)
        made.trails += [
            replace(t, question_id=f"{prefix}-{t.question_id[1:]}", cost_usd=Decimal(cost)) for t in rows.trails
        ]
        made.verdicts += [replace(v, question_id=f"{prefix}-{v.question_id[1:]}") for v in rows.verdicts]
    return made


def labelled(both: int, judge_only: int, person_only: int, neither: int) -> list[LabelledPair]:
    """Pairs of two tiers with these counts, labelled by ada, every third by bo too; and two that do not count."""
    words: list[tuple[Label, Label]] = (
        [("HIT", "HIT")] * both
        + [("HIT", "MISS")] * judge_only
        + [("MISS", "HIT")] * person_only
        + [("MISS", "MISS")] * neither
    )
    made = []
    for n, (judge, person) in enumerate(words):
        labels = [("ada", person, None)] + [("bo", person, None)] * (n % 3 == 0)
        made.append(
            LabelledPair(
                f"p{n}", "recall", ("factual", "longitudinal")[n % 2], f"q{n % 22}", 1.0 + n % 4, False, True,
                "Bottles drift", judge, "It says so.", tuple(labels),
            )
        )  # fmt: skip
    split = replace(made[1], pair_id="split", labels=(("ada", "HIT", None), ("bo", "MISS", None)))
    unsure = replace(made[1], pair_id="unsure", labels=(("ada", "unsure", None),))
    return [*made, split, unsure]


@cache
def sample_board() -> Scoreboard:
    arms = [
        arm("react-dense", REACT_FACTUAL, REACT_LONGITUDINAL),
        arm("react-hybrid", HYBRID_FACTUAL, HYBRID_LONGITUDINAL),
        arm("single-shot", SINGLE_FACTUAL, SINGLE_LONGITUDINAL),
    ]
    arms[2].verdicts[0] = replace(arms[2].verdicts[0], label=None, unscored="truncated")
    arms[2].trail("lc-trap", tier="longitudinal", nuggets=1, question_state="segregated")
    arms[2].nugget("lc-trap", "n1", "stance", "MISS", "MISS", tier="longitudinal")
    for rows in arms[:2]:
        for repetition in sorted({trail.repetition for trail in rows.trails}):
            rows.trail("lc-trap", repetition, tier="longitudinal", nuggets=1, question_state="segregated")
            rows.nugget("lc-trap", "n1", "stance", "MISS", "MISS", tier="longitudinal", repetition=repetition)
    source = MemorySource(
        arms,
        policy="auto",
        pairs=published_pairs(),
        calibrated=[
            calibration_word(calibrate("judge-1", "recall", labelled(33, 4, 0, 29), 0.8)),
            calibration_word(calibrate("judge-1", "grounded", labelled(6, 0, 0, 0), 0.8)),
        ],
        registered=Registration(
            sha256="ab" * 32,
            committed_at=datetime(2026, 3, 1, tzinfo=UTC),
            hypotheses=(
                Hypothesis(
                    id="loop-helps",
                    arm="react-dense",
                    against="single-shot",
                    tier="longitudinal",
                    metric="recall_with_shift",
                    direction="higher",
                ),
            ),
        ),
    )
    return build_scoreboard(source)


def sample_details() -> Details:
    rng = random.Random(7)
    board = sample_board()
    questions = {}
    for question in board.questions:
        start = date(2025, 1, 10)
        nuggets = [
            NuggetDetail(
                f"n{n}", "stance", f"He held that bottles of kind {n} drift further than we thought",
                "mid 2025",
                start + timedelta(days=60 + 130 * n), start + timedelta(days=150 + 130 * n),
                {one.name: (rng.randint(0, len(one.runs)), len(one.runs)) for one in board.arms},
            )
            for n in range(3)
        ]  # fmt: skip
        nuggets.append(NuggetDetail("shift", "shift", "The view moved from doubt to praise", None, None, None,
                                    {one.name: (0, len(one.runs)) for one in board.arms}))  # fmt: skip
        questions[question.question_id] = QuestionDetail(
            question.question_id,
            question.tier,
            f"How did the creator's view of messages in bottles change ({question.question_id})?",
            tuple(nuggets),
            tuple(start + timedelta(days=80 + 130 * n) for n in range(3)),
            {
                one.name: tuple(start + timedelta(days=rng.randint(0, 470)) for _ in range(20))
                for one in board.arms
            },
        )
    return Details(
        title="Bottle Post",
        questions=questions,
        disagreements=(
            Disagreement("recall", "longitudinal", "lc-003", "He doubted it in spring", "HIT", "It says so.",
                         "ada", "MISS", HOSTILE),
        ),
        commit="0e91a2b5 (clean)",
        workbench="http://127.0.0.1:3000/workbench",
    )  # fmt: skip
