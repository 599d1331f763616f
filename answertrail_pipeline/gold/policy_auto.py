"""The policy `auto`: what is decided where no person decides, for demonstrations and trials."""

from collections.abc import Sequence

from sqlalchemy import text

from answertrail_pipeline.gold.adjudication import AUTO, decide
from answertrail_pipeline.gold.decisions import ItemKind
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql

_ADVISORY = frozenset({"copied_run", "single_video_end", "end_points_only", "span_hole", "not_grounded"})
"""Gates that ask a person to look and that rule-written items nearly always meet: alone they cut nothing."""


def adjudicate_auto(database: Database, channel: str, kind: ItemKind) -> int:
    """Decide what waits by the policy `auto`: keep what passes every gate, segregate traps, cut the rest.

    For demonstrations and trials only; every number made with it names the policy. Of nuggets, also cut the
    kept questions that are left with none, or whose nuggets are all given away.

    Returns:
        How many items were decided.
    """
    with database.begin() as connection:
        rows = connection.execute(text(read_sql(f"queries/waiting_{kind}s.sql")), {"channel": channel}).all()
    for row in rows:
        warnings = [warned["gate"] for warned in row.detail.get("warnings", [])]
        if row.detail.get("trap") or row.detail.get("unanswerable"):
            decide(database, channel, kind, row.item_id, "segregate", AUTO)
        elif warnings and not _harmless(warnings):
            reason = "gates: " + ", ".join(warnings)
            decide(database, channel, kind, row.item_id, "cut", AUTO, reason_code="other", reason=reason)
        else:
            decide(database, channel, kind, row.item_id, "keep", AUTO)
    return len(rows) + (_cut_empty(database, channel) if kind == "nugget" else 0)


def _harmless(warnings: Sequence[str]) -> bool:
    return set(warnings) <= _ADVISORY


def _cut_empty(database: Database, channel: str) -> int:
    with database.begin() as connection:
        rows = connection.execute(text(read_sql("queries/kept_without_nuggets.sql")), {"channel": channel}).all()
    for row in rows:
        reason = "its nuggets are all given away" if row.given_away else "no nugget is left"
        decide(
            database, channel, "question", row.question_id, "cut", AUTO, reason_code="gives_away", reason=reason
        )
    return len(rows)
