"""Verdict rows made to order: outcomes by count, spread over questions and runs like the published ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from answertrail_pipeline.scoring.types import ScoredTrail, ScoredVerdict

TRAIL = ScoredTrail(
    arm="react-dense", run_key="talks/react-dense/v1/c1/r1", repetition=1, tier="factual", question_id="q1",
    question_state="kept", state="done", steps=5, searches=4, chunks=19, videos=6, months=3, gold_videos=2,
    gold_months=2, prompt_tokens=900, completion_tokens=100, cost_usd=Decimal("0.05"), nuggets=1, covered_videos=1,
    covered_months=1, abstained=False,
)  # fmt: skip


@dataclass
class Rows:
    """Verdicts and trails of one arm, filled nugget by nugget."""

    arm: str = "react-dense"
    verdicts: list[ScoredVerdict] = field(default_factory=list)
    trails: list[ScoredTrail] = field(default_factory=list)

    def run_key(self, repetition: int) -> str:
        return f"talks/{self.arm}/v1/c1/r{repetition}"

    def trail(self, question_id: str, repetition: int = 1, **changes: Any) -> None:
        base = {"arm": self.arm, "run_key": self.run_key(repetition), "repetition": repetition}
        self.trails.append(replace(TRAIL, question_id=question_id, **base, **changes))

    def verdict(
        self, question_id: str, purpose: str, item_id: str, kind: str, label: str | None, *,
        tier: str = "factual", repetition: int = 1, **changes: Any,
    ) -> None:  # fmt: skip
        unscored = changes.pop("unscored", "timeout" if label is None else None)
        self.verdicts.append(
            ScoredVerdict(
                self.arm,
                self.run_key(repetition),
                repetition,
                tier,
                question_id,
                purpose,
                item_id,
                kind,
                label,
                unscored=unscored,
                **changes,
            )
        )

    def nugget(
        self, question_id: str, item_id: str, kind: str, recall: str | None, ceiling: str | None = "absent",
        **changes: Any,
    ) -> None:  # fmt: skip
        """Add a nugget's recall verdict, and its ceiling unless `absent`; None is an unscored verdict."""
        miss_kind = changes.pop("miss_kind", None)
        self.verdict(question_id, "recall", item_id, kind, recall, miss_kind=miss_kind, **changes)
        if ceiling != "absent":
            self.verdict(question_id, "ceiling", item_id, kind, ceiling, **changes)

    def assertions(
        self, question_id: str, hits: int, total: int, purpose: str = "grounded", **changes: Any
    ) -> None:
        for ordinal in range(total):
            label = "HIT" if ordinal < hits else "MISS"
            self.verdict(question_id, purpose, str(ordinal), "assertion", label, **changes)


@dataclass(frozen=True)
class Published:
    """Published counts of one arm and tier, as facts.

    Attributes:
        both: stated and retrieved; `unused`: retrieved, not stated; `violations`: stated, never retrieved;
            `never`: neither.
    """

    tier: str
    questions: int
    nuggets: int
    runs: int
    both: int
    unused: int
    violations: int
    never: int
    shift_hits: int = 0
    timing: int = 0
    grounded: int = 0
    assertions: int = 0


def spread(total: int, parts: int) -> list[int]:
    """Split a number into nearly equal parts, the larger ones first."""
    return [total // parts + (part < total % parts) for part in range(parts)]


def published_rows(published: Published, arm: str) -> Rows:
    """Return rows that have the published counts; where each falls among the questions is ours."""
    rows = Rows(arm)
    headline = "fact" if published.tier == "factual" else "stance"
    words = (
        [("HIT", "HIT")] * published.both + [("MISS", "HIT")] * published.unused
        + [("HIT", "MISS")] * published.violations + [("MISS", "MISS")] * published.never
    )  # fmt: skip
    # a fixed stride that is coprime with the length scatters the outcomes over questions and runs
    words = [words[(position * 7919) % len(words)] for position in range(len(words))]
    shifts = ["HIT"] * published.shift_hits + ["MISS"] * (
        published.questions * published.runs - published.shift_hits
    )
    shifts = [shifts[(position * 7919) % len(shifts)] for position in range(len(shifts))]
    sizes = spread(published.nuggets, published.questions)
    grounded = _assertion_cells(published)
    timing = published.timing
    for repetition in range(1, published.runs + 1):
        for number, size in enumerate(sizes):
            question = f"q{number:03d}"
            at = {"tier": published.tier, "repetition": repetition}
            has_shift = published.tier == "longitudinal"
            rows.trail(question, repetition, tier=published.tier, nuggets=size + has_shift)
            for nugget in range(size):
                recall, ceiling = words.pop()
                missed_stance = has_shift and recall == "MISS"
                miss_kind = ("timing" if timing > 0 else "substance") if missed_stance else None
                timing -= missed_stance
                rows.nugget(question, f"n{nugget}", headline, recall, ceiling, miss_kind=miss_kind, **at)
            if has_shift:
                rows.nugget(question, "shift", "shift", shifts.pop(), **at)
            rows.assertions(question, *grounded.pop(), **at)
    assert not words
    return rows


def _assertion_cells(published: Published) -> list[tuple[int, int]]:
    cells = published.questions * published.runs
    totals = spread(published.assertions, cells)
    misses = spread(published.assertions - published.grounded, cells)
    return [(total - missed, total) for total, missed in zip(totals, misses, strict=True)]


def by_name(metrics: Sequence[Any], tier: str) -> dict[str, Any]:
    return {metric.name: metric for metric in metrics if metric.tier == tier}
