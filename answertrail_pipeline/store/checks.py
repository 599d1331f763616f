"""Data-quality checks: what violates a rule, how grave that is, and the last word of each."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.store.rows import replace_rows
from answertrail_pipeline.store.shipped import read_sql

Severity = Literal["warn", "error"]


class Violation(NamedTuple):
    """One thing that breaks a rule."""

    unit: str
    problem: str


@dataclass(frozen=True)
class CheckOutcome:
    """How one check stands, for a channel or one of its runs.

    Attributes:
        run_key: the run that was looked at; empty for a whole channel.
        numbers: how many there are to look at (`of`), and the limits that apply.
        blocking: whether what hangs on the stage must not be computed now.
    """

    channel: str
    run_key: str
    name: str
    stage: str
    description: str
    severity: Severity
    blocking: bool
    violations: int
    examples: tuple[str, ...]
    numbers: Mapping[str, Any] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether nothing violates the rule."""
        return self.violations == 0

    @property
    def stops(self) -> bool:
        """Whether it failed so that what hangs on it must wait."""
        return self.blocking and not self.passed and self.severity == "error"


def find_violations(connection: Connection, name: str, parameters: Mapping[str, Any]) -> list[Violation]:
    """Return the rows of `sql/checks/NAME.sql`: each breaks the rule."""
    rows = connection.execute(text(read_sql(f"checks/{name}.sql")), dict(parameters))
    return [Violation(row.unit, row.problem) for row in rows]


def store_outcome(connection: Connection, outcome: CheckOutcome) -> None:
    """Keep the last word of a check."""
    key = {"channel": outcome.channel, "run_key": outcome.run_key, "check_name": outcome.name}
    row = {
        **key,
        "stage": outcome.stage,
        "passed": outcome.passed,
        "severity": outcome.severity,
        "blocking": outcome.blocking,
        "description": outcome.description,
        "violations": outcome.violations,
        "numbers": Jsonb(dict(outcome.numbers)),
        "examples": list(outcome.examples),
    }
    replace_rows(connection, "check_outcomes", key, [row])


def stopping(connection: Connection, channel: str, run_key: str, stages: Collection[str]) -> list[str]:
    """Return, in words, the failed blocking checks of some stages, of the channel as a whole or of this run."""
    rows = connection.execute(
        text(
            "select check_name, violations, examples from check_outcomes"
            " where channel = :channel and run_key in ('', :run_key) and stage = any(:stages)"
            " and blocking and not passed and severity = 'error' order by check_name"
        ),
        {"channel": channel, "run_key": run_key, "stages": sorted(stages)},
    )
    return [f"{row.check_name}: {row.violations} violations, such as {row.examples[0]}" for row in rows]
