"""Where the scoreboard's rows come from: the database, or a bundle that a third party was given."""

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

from sqlalchemy import text

from answertrail_pipeline.agents.runs import Run, list_runs
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.judging.calibration import TRUTH_FILE, Calibration, calibrations, labelled_pairs
from answertrail_pipeline.scoring.gold_index import IndexedQuestion
from answertrail_pipeline.scoring.hypotheses import Registration, read_registration
from answertrail_pipeline.scoring.load import (
    load_gold,
    load_gold_index,
    load_judge,
    load_judges,
    load_other_judges,
    load_trails,
    stream_verdicts,
)
from answertrail_pipeline.scoring.model_checks import SCORED_WITH, Use, load_checks, load_uses
from answertrail_pipeline.scoring.types import (
    CalibrationWord,
    JudgeUsed,
    LabelledPair,
    ModelCheck,
    Raters,
    ScoredTrail,
    ScoredVerdict,
)
from answertrail_pipeline.settings import ScoringSettings, Settings
from answertrail_pipeline.store.database import Database

JUDGE_AND_PEOPLE = "judge and people"


class Source(Protocol):
    """All that a scoreboard of one channel is made of."""

    @property
    def channel(self) -> str:
        """Whose scores."""

    @property
    def scoring(self) -> ScoringSettings:
        """How verdicts become numbers."""

    def runs(self) -> list[Run]:
        """Return all runs, by run key."""

    def gold_versions(self) -> list[str]:
        """Return the names of the frozen gold versions, oldest first."""

    def gold(self, gold_version: str) -> GoldVersion:
        """Return a frozen gold version."""

    def trails(self, run: Run) -> list[ScoredTrail]:
        """Return a run's trails, one a gold question."""

    def verdicts(self, run: Run) -> Iterator[ScoredVerdict]:
        """Yield a run's verdicts, those of one question together."""

    def judges(self, run: Run) -> list[JudgeUsed]:
        """Return the judges of a run's verdicts."""

    def other_judges(self, run: Run) -> list[tuple[JudgeUsed, list[ScoredVerdict]]]:
        """Return what other judges say of a run's recall, by judge id."""

    def labels(self) -> list[LabelledPair]:
        """Return the pairs that people labelled."""

    def calibrations(self) -> list[CalibrationWord]:
        """Return what calibrations say of each judge."""

    def checks(self) -> list[ModelCheck]:
        """Return what `check-model` found, by model and task."""

    def uses(self) -> list[Use]:
        """Return which models did the tasks behind the gold and the assertions."""

    def registration(self) -> Registration | None:
        """Return the pre-registered comparisons."""

    def started_at(self) -> dict[str, datetime]:
        """Return when each run was declared, by run key."""


def calibration_word(made: Calibration) -> CalibrationWord:
    """Return a calibration as a scoreboard reads it."""
    overall = made.overall
    return CalibrationWord(
        made.judge_id,
        made.purpose,
        overall.pairs,
        overall.agreement,
        overall.kappa,
        overall.low,
        overall.high,
        made.calibrated,
        made.reason,
        made.words,
        raters=(
            Raters(JUDGE_AND_PEOPLE, "all", overall),
            *(Raters(JUDGE_AND_PEOPLE, tier, found) for tier, found in made.tiers.items()),
            *(Raters(two, "all", found) for two, found in made.between_people.items()),
        ),
        unsure=made.unsure,
        split=made.split,
        unscored=made.unscored,
        unlabelled=made.unlabelled,
        worst=made.worst,
        best=made.best,
        controls=made.controls,
        truth_file=TRUTH_FILE in made.people,
        by_verdict=made.by_verdict,
    )


class DatabaseSource:
    """The project's database."""

    def __init__(self, database: Database, channel: str, settings: Settings) -> None:
        self.channel = channel
        self.scoring = settings.scoring
        self._database = database
        self._root = settings.root
        self._indexed: dict[str, dict[str, IndexedQuestion]] = {}

    def runs(self) -> list[Run]:
        """Return all runs that answer in prose, by run key."""
        runs = [run for run in list_runs(self._database, self.channel) if not run.is_biography]
        return sorted(runs, key=lambda run: run.run_key)

    def gold_versions(self) -> list[str]:
        """Return the names of the frozen gold versions, oldest first."""
        with self._database.begin() as connection:
            rows = connection.execute(
                text("select gold_version from gold_versions where channel = :channel"
                     " order by frozen_at, gold_version"),
                {"channel": self.channel},
            )  # fmt: skip
            return list(rows.scalars())

    def gold(self, gold_version: str) -> GoldVersion:
        """Return a frozen gold version."""
        with self._database.begin() as connection:
            return load_gold(connection, self.channel, gold_version)

    def trails(self, run: Run) -> list[ScoredTrail]:
        """Return a run's trails, one a gold question."""
        with self._database.begin() as connection:
            return load_trails(connection, run, self._index(run.gold_version))

    def verdicts(self, run: Run) -> Iterator[ScoredVerdict]:
        """Yield a run's verdicts, those of one question together."""
        with self._database.begin() as connection:
            yield from stream_verdicts(connection, run, self._index(run.gold_version))

    def judges(self, run: Run) -> list[JudgeUsed]:
        """Return the judges of a run's verdicts."""
        with self._database.begin() as connection:
            return load_judges(connection, run.run_key)

    def other_judges(self, run: Run) -> list[tuple[JudgeUsed, list[ScoredVerdict]]]:
        """Return what other judges say of a run's recall, by judge id."""
        with self._database.begin() as connection:
            found = load_other_judges(connection, run, self._index(run.gold_version))
            return [(load_judge(connection, judge_id), found[judge_id]) for judge_id in sorted(found)]

    def labels(self) -> list[LabelledPair]:
        """Return the pairs that people labelled, without negative controls."""
        with self._database.begin() as connection:
            by_judge = labelled_pairs(connection, self.channel)
        return [
            LabelledPair(
                judge_id, pair.pair_id, purpose, pair.tier, pair.question_id, pair.judge, pair.person, pair.weight,
                pair.drawn_by,
            )
            for (judge_id, purpose), pairs in sorted(by_judge.items())
            for pair in pairs
            if pair.judge and pair.person and not pair.negative_control
        ]  # fmt: skip

    def calibrations(self) -> list[CalibrationWord]:
        """Return what calibrations say of each judge."""
        found = calibrations(self._database, self.channel, self.scoring.min_kappa)
        return [calibration_word(one) for one in found]

    def checks(self) -> list[ModelCheck]:
        """Return what `check-model` found, by model and task."""
        with self._database.begin() as connection:
            return load_checks(connection)

    def uses(self) -> list[Use]:
        """Return which models did the tasks behind the gold and the assertions."""
        with self._database.begin() as connection:
            return load_uses(connection, self.channel, SCORED_WITH)

    def registration(self) -> Registration | None:
        """Return the pre-registered comparisons."""
        return read_registration(self._root)

    def started_at(self) -> dict[str, datetime]:
        """Return when each run was declared, by run key."""
        with self._database.begin() as connection:
            rows = connection.execute(
                text("select run_key, made_at from runs where channel = :channel order by run_key"),
                {"channel": self.channel},
            )
            return {row.run_key: row.made_at for row in rows}

    def _index(self, gold_version: str) -> dict[str, IndexedQuestion]:
        if gold_version not in self._indexed:
            with self._database.begin() as connection:
                self._indexed[gold_version] = load_gold_index(connection, self.channel, gold_version)
        return self._indexed[gold_version]
