"""Questions that test restraint: a view that did not change, and topics that the channel never speaks of.

Both wait for a person, who segregates them: asked and shown, in no denominator.
"""

from collections.abc import Sequence

from psycopg.types.json import Jsonb
from sqlalchemy import text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.questions import as_written
from answertrail_pipeline.gold.store import StoredClaim, claims_by_id, question_id
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import join_key
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.tasks.question_rules import month_name

MAX_TRAP_CLAIMS = 6


def propose_trap(database: Database, channel: str, thread_id: str) -> str:
    """Propose a rejected thread as a trap (a question that presupposes a change) and return its id.

    Raises:
        UserError: no such thread, or its claims are taken for a change.
    """
    key = join_key(channel, "longitudinal", thread_id)
    with database.begin() as connection:
        thread = connection.execute(
            text("select topic, claim_ids from threads where channel = :channel and thread_id = :thread_id"),
            {"channel": channel, "thread_id": thread_id},
        ).first()
        if thread is None:
            raise UserError(f"No thread `{thread_id}` in {channel}.", "List them with `answertrail gold threads`.")
        outcome = connection.execute(
            text("select outcome from compositions where channel = :channel and unit_key = :key"),
            {"channel": channel, "key": key},
        ).scalar()
        if outcome != "rejected":
            raise UserError(
                f"The thread `{thread_id}` was not rejected.", "Only a thread without a change is a trap."
            )
        claims = _ends(claims_by_id(connection, channel, thread.claim_ids))
        topic = as_written(thread.topic, [claim.text for claim in claims])
        first, last = claims[0].day, claims[-1].day
        asked = f"How did the view of {topic} change from {month_name(first)} through {month_name(last)}?"
        made = question_id("longitudinal", "trap", key, asked)
        row = {
            "channel": channel,
            "question_id": made,
            "tier": "longitudinal",
            "text": asked,
            "unit_key": join_key(channel, "trap", thread_id),
            "thread_id": thread_id,
            "claim_ids": [claim.claim_id for claim in claims],
            "chunk_ids": list(dict.fromkeys(chunk for claim in claims for chunk in claim.chunk_ids)),
            "window_from": first,
            "window_to": last,
            "detail": Jsonb({"trap": True, "topic": topic, "warnings": []}),
            "written_by": "baseline",
        }
        insert_rows(connection, "questions", [row], skip_existing=True)
    return made


def propose_unanswerable(database: Database, channel: str, topics: Sequence[str], reviewer: str) -> list[str]:
    """Propose a question for each topic that no chunk of the channel mentions, and return their ids.

    Args:
        topics: what the channel might be asked and does not speak of.
        reviewer: who named them.

    Raises:
        UserError: a chunk mentions one of them.
    """
    made = []
    with database.begin() as connection:
        for topic in topics:
            there = connection.execute(
                text(
                    "select chunk_id from chunks where channel = :channel"
                    " and position(lower(:topic) in lower(spoken_text)) > 0 order by chunk_id limit 1"
                ),
                {"channel": channel, "topic": topic},
            ).scalar()
            if there:
                raise UserError(
                    f"`{topic}` is spoken of in {there}.", "Name a topic that the channel never mentions."
                )
            asked = f"What was said about {topic}?"
            row = {
                "channel": channel,
                "question_id": question_id("factual", "unanswerable", asked),
                "tier": "factual",
                "text": asked,
                "unit_key": join_key(channel, "unanswerable", topic),
                "detail": Jsonb({"unanswerable": True, "topic": topic, "warnings": []}),
                "written_by": reviewer,
            }
            insert_rows(connection, "questions", [row], skip_existing=True)
            made.append(str(row["question_id"]))
    return made


def _ends(claims: Sequence[StoredClaim]) -> list[StoredClaim]:
    """Return at most `MAX_TRAP_CLAIMS` claims, the first and the last among them."""
    if len(claims) <= MAX_TRAP_CLAIMS:
        return list(claims)
    step = (len(claims) - 1) / (MAX_TRAP_CLAIMS - 1)
    return [claims[round(i * step)] for i in range(MAX_TRAP_CLAIMS)]
