"""Data-quality checks as SQL: each statement returns the rows that violate a rule, so none is good news."""

from dataclasses import dataclass

from sqlalchemy import Connection, text

from answertrail_pipeline.store.shipped import read_sql


@dataclass(frozen=True)
class SqlCheck:
    """One rule. Its statement is `sql/checks/NAME.sql` and returns columns `unit` and `problem`."""

    stage: str
    name: str
    description: str
    blocking: bool = True


@dataclass(frozen=True)
class CheckOutcome:
    """How many rows violate a rule, with the first of them."""

    check: SqlCheck
    violations: int
    examples: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing violates the rule."""
        return self.violations == 0


CHECKS = (
    SqlCheck("chunks", "captions_readable", "No video of the source is in quarantine.", blocking=False),
    SqlCheck("chunks", "chunk_coverage", "Every active video has chunks, in order, each with its text."),
    SqlCheck(
        "embeddings", "embeddings_complete", "Every spoken chunk has a vector of each model in use, and postings."
    ),
    SqlCheck("claims", "claim_citations", "Every claim cites chunks of its own video."),
    SqlCheck(
        "threads",
        "thread_rule",
        "Every claim of a thread exists and is of high confidence; its span and videos are those of its claims.",
    ),
    SqlCheck("nuggets", "nuggets_have_windows", "Every stance nugget has a time window.", blocking=False),
    SqlCheck("agent_runs", "citations_retrieved", "Every citation was retrieved in the same run."),
    SqlCheck(
        "verdicts", "verdicts_complete", "No unit failed and every nugget of an answered question has a verdict."
    ),
)


def run_check(connection: Connection, check: SqlCheck) -> CheckOutcome:
    """Run one check over the whole database."""
    rows = connection.execute(text(read_sql(f"checks/{check.name}.sql"))).all()
    return CheckOutcome(check, len(rows), tuple(f"{row.unit}: {row.problem}" for row in rows[:5]))
