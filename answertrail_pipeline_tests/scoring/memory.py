"""A source of rows in memory: the scoreboard without a database."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from answertrail_pipeline.agents.runs import Run
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.hashing import text_sha256
from answertrail_pipeline.scoring.hypotheses import Registration
from answertrail_pipeline.scoring.model_checks import Use
from answertrail_pipeline.scoring.types import (
    CalibrationWord,
    JudgeUsed,
    LabelledPair,
    ModelCheck,
    ScoredTrail,
    ScoredVerdict,
)
from answertrail_pipeline.settings import ScoringSettings
from answertrail_pipeline_tests.scoring.factory import Rows
from answertrail_pipeline_tests.scoring.stored import ARM, CORPUS, gold_of

JUDGE = JudgeUsed("judge-1", "baseline", None, "rules", "f" * 64)


@dataclass
class MemorySource:
    arms: list[Rows]
    scoring: ScoringSettings = field(default_factory=lambda: ScoringSettings(resamples=200))
    channel: str = "talks"
    policy: str = "people"
    pairs: list[LabelledPair] = field(default_factory=list)
    calibrated: list[CalibrationWord] = field(default_factory=list)
    registered: Registration | None = None
    judge: JudgeUsed = JUDGE
    checked: list[ModelCheck] = field(default_factory=list)
    other: tuple[JudgeUsed, Any] | None = None
    started: datetime | None = None
    used: list[Use] = field(default_factory=list)

    def runs(self) -> list[Run]:
        keys = {(t.arm, t.run_key, t.repetition) for rows in self.arms for t in rows.trails}
        return [
            Run(key, self.channel, arm, text_sha256(arm), ARM.model_dump(mode="json"), "v1", CORPUS, repetition)
            for arm, key, repetition in sorted(keys)
        ]

    def gold_versions(self) -> list[str]:
        return ["v1"]

    def gold(self, gold_version: str) -> GoldVersion:
        return gold_of(self.arms, self.policy)

    def trails(self, run: Run) -> list[ScoredTrail]:
        return [trail for rows in self.arms for trail in rows.trails if trail.run_key == run.run_key]

    def verdicts(self, run: Run) -> Iterator[ScoredVerdict]:
        found = [v for rows in self.arms for v in rows.verdicts if v.run_key == run.run_key]
        yield from sorted(found, key=lambda verdict: verdict.question_id)

    def judges(self, run: Run) -> list[JudgeUsed]:
        return [self.judge]

    def other_judges(self, run: Run) -> list[tuple[JudgeUsed, list[ScoredVerdict]]]:
        found = (
            [replace(v, label=self.other[1]) for v in self.verdicts(run) if v.purpose == "recall"]
            if self.other
            else []
        )
        return [(self.other[0], found)] if self.other else []

    def labels(self) -> list[LabelledPair]:
        return self.pairs

    def calibrations(self) -> list[CalibrationWord]:
        return self.calibrated

    def checks(self) -> list[ModelCheck]:
        return self.checked

    def uses(self) -> list[Use]:
        return self.used

    def registration(self) -> Registration | None:
        return self.registered

    def started_at(self) -> dict[str, datetime]:
        return {run.run_key: self.started for run in self.runs()} if self.started else {}
