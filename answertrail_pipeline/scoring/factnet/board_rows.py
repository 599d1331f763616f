"""What the board of a pool is made from, read from the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text

from answertrail_pipeline.judging.calibration import calibrate, labelled_pairs
from answertrail_pipeline.scoring.factnet.audit import AUDITED
from answertrail_pipeline.scoring.factnet.efficiency import PersonCost
from answertrail_pipeline.scoring.factnet.scores import Level
from answertrail_pipeline.scoring.factnet.types import Counts
from answertrail_pipeline.store.shipped import read_sql


@dataclass(frozen=True)
class Scored:
    """One row of `biography_scores` with its run's arm."""

    arm: str
    person: str
    pooled: bool
    scope: str
    level: Level
    counts: Counts
    detail: Mapping[str, Any]


def load_scores(connection: Connection, pool_id: str, run_keys: Sequence[str]) -> list[Scored]:
    """Return the scores of a pool's runs on the pool and on the frozen base."""
    rows = connection.execute(
        text(read_sql("queries/biography_scores.sql")), {"pool_id": pool_id, "runs": list(run_keys)}
    )
    return [
        Scored(
            row.arm,
            row.question_id,
            bool(row.pool_id),
            row.scope,
            row.level,
            Counts(row.tp, row.fp, row.fn),
            row.detail,
        )
        for row in rows
    ]


def load_costs(connection: Connection, run_keys: Sequence[str]) -> list[PersonCost]:
    """Return what each run took for each person."""
    rows = connection.execute(text(read_sql("queries/biography_costs.sql")), {"runs": list(run_keys)})
    return [
        PersonCost(
            row.arm, row.question_id, row.state == "error", row.searches, row.model_calls,
            None if row.prompt_tokens is None or row.completion_tokens is None
            else row.prompt_tokens + row.completion_tokens,
            None if row.cost_usd is None else float(row.cost_usd), row.seconds, row.domains, row.languages,
            row.malformed,
        )
        for row in rows
    ]  # fmt: skip


def judge_words(connection: Connection, channel: str, judge_id: str, min_kappa: float) -> tuple[str, ...]:
    """Return for every purpose of a biography whether the judge is calibrated for it."""
    pairs = labelled_pairs(connection, channel)
    return tuple(
        calibrate(judge_id, purpose, pairs.get((judge_id, purpose), []), min_kappa).words.replace(
            "judge:", f"judge of {purpose}:"
        )
        for purpose in AUDITED
    )


def load_truth(connection: Connection, pool_id: str) -> dict[str, tuple[dict[str, Any], ...]]:
    """Return a pool's events by person, in order."""
    made: dict[str, list[dict[str, Any]]] = {}
    rows = connection.execute(
        text("select * from pool_events where pool_id = :id order by question_id, ordinal"), {"id": pool_id}
    )
    for row in rows:
        made.setdefault(row.question_id, []).append(
            {"event": row.event, "truth": row.truth, "origin": row.origin, "covered": row.covered,
             "found_by": list(row.found_by)}
        )  # fmt: skip
    return {person: tuple(events) for person, events in made.items()}
