"""What people promote from a pool into the next base. A pool is no gold version: only a person makes it one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion
from answertrail_pipeline.gold.versions import load_gold, store_version
from answertrail_pipeline.language.career_events import CareerEvent, event_from_json
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows

_BY = "promoted:"
"""Before the name of who promoted an event, in `written_by` and in the source of its nugget."""


@dataclass(frozen=True)
class Promotion:
    """An event that somebody promoted and nobody withdrew."""

    question_id: str
    event: CareerEvent
    pool_id: str
    reviewer: str
    reason: str | None
    decided_at: datetime


def promote_event(
    database: Database,
    channel: str,
    question_id: str,
    pool_id: str,
    ordinal: int,
    reviewer: str,
    reason: str | None = None,
) -> None:
    """Promote an event that a pool has and the base has not.

    Args:
        ordinal: of the event in the pool.

    Raises:
        UserError: no name, no such event, or one that the base holds already.
    """
    with database.begin() as connection:
        row = connection.execute(
            text(
                "select event, origin from pool_events join pools using (pool_id)"
                " where channel = :channel and pool_id = :pool and question_id = :person and ordinal = :ordinal"
            ),
            {"channel": channel, "pool": pool_id, "person": question_id, "ordinal": ordinal},
        ).one_or_none()
        if row is None:
            raise UserError(f"No event {ordinal} of {question_id} in that pool.", "Load the page anew.")
        if row.origin == "base":
            raise UserError("The base holds that event already.", "Promote events that runs added.")
        _decide(connection, channel, question_id, event_from_json(row.event), pool_id, "promote", reviewer, reason)


def withdraw_promotion(
    database: Database, channel: str, question_id: str, event_hash: str, reviewer: str, reason: str | None = None
) -> None:
    """Take a promotion back, whoever made it; versions frozen with it stay as they are.

    Raises:
        UserError: no name, or no such promotion stands.
    """
    with database.begin() as connection:
        standing = standing_promotions(connection, channel).get(question_id, [])
        found = next((each for each in standing if each.event.content_hash == event_hash), None)
        if found is None:
            raise UserError(f"No such promotion of {question_id} stands.", "Load the page anew.")
        _decide(connection, channel, question_id, found.event, found.pool_id, "withdraw", reviewer, reason)


def _decide(
    connection: Connection, channel: str, question_id: str, event: CareerEvent, pool_id: str, decision: str,
    reviewer: str, reason: str | None,
) -> None:  # fmt: skip
    if not reviewer.strip():
        raise UserError("A promotion needs a reviewer's name.", "Say who decides.")
    decided = {
        "channel": channel,
        "question_id": question_id,
        "event_hash": event.content_hash,
        "event": Jsonb(event.as_json()),
        "pool_id": pool_id,
        "decision": decision,
        "reviewer": reviewer.strip(),
        "reason": reason,
    }
    insert_rows(connection, "promotions", [decided])


def standing_promotions(connection: Connection, channel: str) -> dict[str, list[Promotion]]:
    """Return by person the promotions that nobody withdrew, oldest first."""
    rows = connection.execute(
        text(
            "select distinct on (question_id, event_hash) * from promotions where channel = :channel"
            " order by question_id, event_hash, promotion_id desc"
        ),
        {"channel": channel},
    ).all()
    made: dict[str, list[Promotion]] = {}
    for row in sorted(rows, key=lambda row: row.promotion_id):
        if row.decision == "promote":
            made.setdefault(row.question_id, []).append(
                Promotion(
                    row.question_id, event_from_json(row.event), row.pool_id, row.reviewer, row.reason,
                    row.decided_at,
                )
            )  # fmt: skip
    return made


def with_promotions(
    questions: Iterable[GoldQuestion], standing: Mapping[str, Iterable[Promotion]]
) -> tuple[GoldQuestion, ...]:
    """Return biographies with the promoted events, and with no others that were promoted before."""
    return tuple(
        question.model_copy(
            update={
                "nuggets": (
                    *(nugget for nugget in question.nuggets if not nugget.written_by.startswith(_BY)),
                    *(_nugget(each) for each in standing.get(question.question_id, ())),
                )
            }
        )
        for question in questions
    )


def freeze_promoted(database: Database, channel: str) -> GoldVersion:
    """Freeze the newest base with the promotions that stand as the next version; nothing new brings none.

    Raises:
        UserError: there is no base.
    """
    gold = load_gold(database, channel)
    if gold is None or not any(question.tier == "biography" for question in gold.questions):
        raise UserError(f"The newest gold of {channel} holds no careers.", "Run `answertrail politnuggets run`.")
    with database.begin() as connection:
        standing = standing_promotions(connection, channel)
        people = {each.reviewer for listed in standing.values() for each in listed}
        made = gold.model_copy(
            update={
                "questions": with_promotions(gold.questions, standing),
                "reviewers": tuple(sorted({*gold.reviewers, *people})),
            }
        )
        return store_version(connection, made, None)


def _nugget(promotion: Promotion) -> GoldNugget:
    event = promotion.event
    source = f"{_BY}{promotion.reviewer}"
    return GoldNugget(
        nugget_id=f"promoted-{event.content_hash[:12]}",
        kind="event",
        text=f"{event.title or event.role}, {event.organization}",
        window_text=str(event.start) if event.start else None,
        written_by=source,
        detail={"event": event.as_json(), "source": source, "pool_id": promotion.pool_id},
    )
