"""Pages to adjudicate questions: the list of a queue, and one question with all that speaks for and against it."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from answertrail_pipeline.gold.decisions import REASON_CODES
from answertrail_pipeline.workbench.cards import QUEUES, pace, read_card
from answertrail_pipeline.workbench.evidence import run_query, time_line
from answertrail_pipeline.workbench.lists import Listed, listed
from answertrail_pipeline.workbench.visit import Visit, page

LIKE_AT_LEAST = 62.0
"""Similarity in percent from which another question is shown as alike."""
TIERS = ("factual", "longitudinal", "biography")


def routes() -> list[Route]:
    """Return the routes of this module."""
    return [
        page("/c/{channel}/questions", show_list),
        page("/c/{channel}/questions/{question_id:path}", show_question, named=True),
    ]


def show_list(visit: Visit) -> Response:
    """List a queue, filtered by words and tier."""
    queue, tier = queue_of(visit), visit.asked("tier")
    tier = tier if tier in TIERS else ""
    with visit.database.begin() as connection:
        found: Listed = listed(connection, visit, "questions", queue=queue, tier=tier, person=visit.person)
        seconds = pace(connection, visit, "question")
    return visit.show(
        "questions.html.j2",
        found=found,
        queue=queue,
        tier=tier,
        queues=QUEUES,
        tiers=TIERS,
        seconds=seconds,
    )


def show_question(visit: Visit) -> Response:
    """Show one question."""
    return render_question(visit, visit.part("question_id"), queue_of(visit))


def render_question(visit: Visit, question_id: str, queue: str, problem: str = "", status: int = 200) -> Response:
    """Render a question's page, perhaps with why a decision was refused and what had been typed."""
    with visit.database.begin() as connection:
        row = read_question(connection, visit, question_id)
        card = read_card(connection, visit, "question", question_id, row, queue, problem)
        following, left = next_question(connection, visit, queue, question_id)
        seconds = pace(connection, visit, "question")
        alike = _alike(connection, visit, question_id, row["text"])
        nuggets = run_query(connection, "nuggets_of_question", channel=visit.channel, question_id=question_id)
        done = _done(connection, visit)
    dates = [(claim.day, claim.claim_id) for claim in card.claims]
    window = [(row["window_from"], row["window_to"], "window of the question")]
    return visit.show(
        "question.html.j2",
        status,
        card=card,
        queue=queue,
        queues=QUEUES,
        following=following,
        left=left + card.is_open,
        seconds=seconds,
        alike=alike,
        nuggets=nuggets,
        line=time_line(dates, window),
        reasons=REASON_CODES,
        done=done,
        newer=visit.asked("newer"),
    )


def read_question(connection: Connection, visit: Visit, question_id: str) -> Mapping[str, Any]:
    """Return a question's row; a page that is not there where there is none."""
    rows = run_query(connection, "question", channel=visit.channel, question_id=question_id)
    if not rows:
        raise HTTPException(404, f"No question {question_id} in {visit.channel}.")
    return rows[0]


def next_question(connection: Connection, visit: Visit, queue: str, question_id: str) -> tuple[str | None, int]:
    """Return the question that follows in a queue, and how many others are in it."""
    rows = run_query(
        connection,
        "next_question",
        channel=visit.channel,
        question_id=question_id,
        person=visit.person,
        queue=queue,
    )
    return (rows[0]["question_id"], rows[0]["others"]) if rows else (None, 0)


def queue_of(visit: Visit) -> str:
    """Return the queue that a person works through."""
    asked = visit.field("queue") or visit.asked("queue", "waiting")
    return asked if asked in QUEUES else "waiting"


def _done(connection: Connection, visit: Visit) -> Mapping[str, Any] | None:
    """Return the question that was decided just before, so that it can be undone from here."""
    done = visit.asked("done")
    rows = run_query(connection, "question", channel=visit.channel, question_id=done) if done else []
    return rows[0] if rows else None


def _alike(connection: Connection, visit: Visit, question_id: str, words: str) -> Sequence[Mapping[str, Any]]:
    """Return the three most similar other questions, the most similar first."""
    from rapidfuzz import fuzz, process

    rows = run_query(connection, "question_texts", channel=visit.channel)
    others = {row["question_id"]: row for row in rows if row["question_id"] != question_id}
    found = process.extract(
        words,
        {key: row["text"] for key, row in others.items()},
        scorer=fuzz.token_sort_ratio,
        score_cutoff=LIKE_AT_LEAST,
        limit=3,
    )
    return [
        {"question_id": key, "text": text, "share": round(score), "state": others[key]["state"]}
        for text, score, key in found
    ]
