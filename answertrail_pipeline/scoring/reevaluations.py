"""Re-evaluations: which runs are looked at together, in order, so that the scores of a channel make a series."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.shipped import read_sql

Scope = Literal["as_of", "full"]
"""`as_of`: the corpus cut at the gold's date, as it was when people decided; `full`: with all that came later."""
SCOPES: tuple[Scope, ...] = ("as_of", "full")


@dataclass(frozen=True)
class Reevaluation:
    """Arms over two corpora on one gold version.

    Attributes:
        number: in the order of declaring; 0 is what was scored before the first.
        corpora: corpus_id by scope.
        arms: arm_hash by arm.
    """

    channel: str
    gold_version: str
    number: int
    corpora: Mapping[str, str]
    arms: Mapping[str, str]
    repetitions: int
    epoch: int

    def same_work(self, other: "Reevaluation | None") -> bool:
        """Return whether another one would ask exactly the same."""
        mine = (self.corpora, self.arms, self.repetitions, self.epoch)
        return other is not None and mine == (other.corpora, other.arms, other.repetitions, other.epoch)


def last_reevaluation(connection: Connection, channel: str, gold_version: str) -> Reevaluation | None:
    """Return the newest re-evaluation on a gold version, or None."""
    row = connection.execute(
        text(
            "select channel, gold_version, number, corpora, arms, repetitions, epoch from reevaluations"
            " where channel = :channel and gold_version = :gold_version order by number desc limit 1"
        ),
        {"channel": channel, "gold_version": gold_version},
    ).one_or_none()
    return Reevaluation(**row._mapping) if row else None


def begin_series(
    connection: Connection, channel: str, gold_version: str, as_of_corpus: str, arms: Iterable[str], epoch: int
) -> None:
    """Let a new series begin with what the scoreboard shows now, as number 0, where anything was scored.

    Args:
        as_of_corpus: corpus_id of the corpus cut at the gold's date.
        arms: those that will be re-evaluated.
    """
    if last_reevaluation(connection, channel, gold_version):
        return
    given = {"channel": channel, "gold_version": gold_version, "epoch": epoch, "arms": sorted(arms)}
    scored = connection.execute(text(read_sql("queries/scored_before.sql")), given).all()
    if not scored:
        return
    corpus = scored[0].corpus_id
    corpora = {"full": corpus} | ({"as_of": corpus} if corpus == as_of_corpus else {})
    hashes = {row.arm: row.arm_hash for row in scored}
    repetitions = min(row.repetitions for row in scored)
    _insert(connection, Reevaluation(channel, gold_version, 0, corpora, hashes, repetitions, epoch))


def declare_reevaluation(
    connection: Connection,
    channel: str,
    gold_version: str,
    corpora: Mapping[Scope, str],
    arms: Mapping[str, str],
    repetitions: int,
    epoch: int,
) -> Reevaluation:
    """Store the next re-evaluation and return it; the same work again is the same re-evaluation."""
    key = {"channel": channel}
    connection.execute(text("select pg_advisory_xact_lock(hashtext('reevaluations'), hashtext(:channel))"), key)
    last = last_reevaluation(connection, channel, gold_version)
    number = last.number + 1 if last else 1
    by_scope = {str(scope): corpus_id for scope, corpus_id in corpora.items()}
    made = Reevaluation(channel, gold_version, number, by_scope, dict(arms), repetitions, epoch)
    if last is not None and last.number > 0 and made.same_work(last):
        return last
    _insert(connection, made)
    return made


def _insert(connection: Connection, made: Reevaluation) -> None:
    row: dict[str, Any] = {**vars(made), "corpora": Jsonb(dict(made.corpora)), "arms": Jsonb(dict(made.arms))}
    insert_rows(connection, "reevaluations", [row])
