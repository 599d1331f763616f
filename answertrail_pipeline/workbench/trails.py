"""Pages to read trails: a channel's runs, a run's questions, one question by one arm or two side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from answertrail_pipeline.agents.runs import Run, list_runs, load_run
from answertrail_pipeline.agents.trails import StoredTrail, load_trail
from answertrail_pipeline.agents.types import RetrievedChunk
from answertrail_pipeline.gold.types import GoldQuestion
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.store.keys import join_key
from answertrail_pipeline.workbench.evidence import clock, run_query, second_link
from answertrail_pipeline.workbench.narrate import Search, answer_pieces, cited_first, searches_of
from answertrail_pipeline.workbench.visit import Visit, channel_link, page


@dataclass(frozen=True)
class Side:
    """One arm's trail with its verdicts.

    Attributes:
        name: `a` or `b`: part of the anchors of its chunks.
        verdicts: by (purpose, item id).
        links: by chunk id, the address that opens its second.
    """

    name: str
    run: Run
    stored: StoredTrail
    answer: Sequence[tuple[str, str]]
    searches: Sequence[Search]
    verdicts: Mapping[tuple[str, str], Mapping[str, Any]]
    statements: Sequence[Mapping[str, Any]]
    chunks: Sequence[RetrievedChunk]
    links: Mapping[str, str | None]


def routes() -> list[Route]:
    """Return the routes of this module."""
    return [
        page("/c/{channel}/trails", show_runs),
        page("/c/{channel}/trail", show_trail),
        page("/trails/{rest:path}", open_from_report),
    ]


def show_runs(visit: Visit) -> Response:
    """List the runs, and the questions of the one that is chosen."""
    runs = list_runs(visit.database, visit.channel)
    chosen = visit.asked("run")
    run = next((run for run in runs if run.run_key == chosen), runs[-1] if runs and not chosen else None)
    if chosen and run is None:
        raise HTTPException(404, f"No run {chosen} of {visit.channel}.")
    find = visit.asked("find").strip()
    rows: Sequence[Mapping[str, Any]] = []
    if run:
        with visit.database.begin() as connection:
            rows = run_query(connection, "trail_questions", run_key=run.run_key, find=find)
    return visit.show("trails.html.j2", runs=runs[::-1], run=run, rows=rows, find=find)


def show_trail(visit: Visit) -> Response:
    """Show what one run, or two, did for one question."""
    question_id = visit.asked("question")
    first = _side(visit, "a", visit.asked("run"), question_id)
    second = _side(visit, "b", visit.asked("beside"), question_id) if visit.asked("beside") else None
    question = _gold_question(visit, first.run, question_id)
    with visit.database.begin() as connection:
        asked = run_query(connection, "runs_of_question", channel=visit.channel, question_id=question_id)
    others = [row for row in asked if row["run_key"] != first.run.run_key]
    return visit.show(
        "trail.html.j2",
        question_id=question_id,
        question=question,
        sides=[side for side in (first, second) if side],
        others=others,
        clock=clock,
    )


def open_from_report(visit: Visit) -> Response:
    """Send a link of the report, `/trails/RUN_KEY/QUESTION_ID`, to its page."""
    *key, question_id = visit.part("rest").split("/")
    run = load_run(visit.database, join_key(*key))
    return RedirectResponse(channel_link(run.channel, "trail", run=run.run_key, question=question_id), 303)


def _side(visit: Visit, name: str, key: str, question_id: str) -> Side:
    run = load_run(visit.database, key)
    stored = load_trail(visit.database, key, question_id)
    if run.channel != visit.channel or stored is None:
        raise HTTPException(404, f"The run {key} was not asked {question_id}.")
    values = {"run_key": key, "question_id": question_id}
    with visit.database.begin() as connection:
        verdicts = run_query(connection, "trail_verdicts", **values)
        cited = run_query(
            connection,
            "evidence",
            channel=visit.channel,
            chunk_ids=[chunk.hit.chunk_id for chunk in stored.trail.retrieved],
        )
    trail = stored.trail
    return Side(
        name=name,
        run=run,
        stored=stored,
        answer=answer_pieces(trail.answer),
        searches=searches_of(trail.events, {chunk.hit.chunk_id: chunk.first_step for chunk in trail.retrieved}),
        verdicts={(row["purpose"], row["item_id"]): row for row in verdicts},
        statements=[row for row in verdicts if row["purpose"] == "grounded"],
        chunks=cited_first(trail),
        links={row["chunk_id"]: second_link(row["url"], row["start_seconds"]) for row in cited},
    )


def _gold_question(visit: Visit, run: Run, question_id: str) -> GoldQuestion | None:
    gold = load_gold(visit.database, visit.channel, run.gold_version)
    questions = gold.questions if gold else ()
    return next((question for question in questions if question.question_id == question_id), None)
