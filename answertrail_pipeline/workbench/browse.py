"""Pages to look around: videos, chunks, claims, threads, search, quarantine."""

from collections import Counter
from datetime import date

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from answertrail_pipeline.corpus.figures import channel_figures
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.store import claims_by_id
from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.retrieval.search import search
from answertrail_pipeline.retrieval.types import Query
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.workbench.evidence import clock, mark, run_query, second_link, time_line
from answertrail_pipeline.workbench.lists import listed
from answertrail_pipeline.workbench.visit import Visit, page

RETRIEVERS = ("hybrid", "dense", "bm25", "trajectory")


def routes() -> list[Route]:
    """Return the routes of this module."""
    return [
        page("/c/{channel}/videos", show_videos),
        page("/c/{channel}/videos/{video_id:path}", show_video),
        page("/c/{channel}/chunks/{chunk_id:path}", find_chunk),
        page("/c/{channel}/claims", show_claims),
        page("/c/{channel}/threads", show_threads),
        page("/c/{channel}/threads/{thread_id:path}", show_thread),
        page("/c/{channel}/search", show_search),
        page("/c/{channel}/quarantine", show_quarantine),
    ]


def show_videos(visit: Visit) -> Response:
    """List the videos, newest first."""
    with visit.database.begin() as connection:
        found = listed(connection, visit, "videos")
    return visit.show("videos.html.j2", found=found, clock=clock)


def show_video(visit: Visit) -> Response:
    """Show a video's chunks and claims."""
    key = {"channel": visit.channel, "video_id": visit.part("video_id")}
    with visit.database.begin() as connection:
        videos = run_query(connection, "video", **key)
        if not videos:
            raise HTTPException(404, f"No video {key['video_id']} in {visit.channel}.")
        chunks = run_query(connection, "chunks_of_video", **key)
        claims = run_query(connection, "claims", **key, topic="", find="", page=1000, offset=0)
    return visit.show(
        "video.html.j2", video=videos[0], chunks=chunks, claims=claims, clock=clock, second_link=second_link
    )


def find_chunk(visit: Visit) -> Response:
    """Send a chunk's address to its place in its video."""
    chunk_id = visit.part("chunk_id")
    with visit.database.begin() as connection:
        rows = run_query(connection, "evidence", channel=visit.channel, chunk_ids=[chunk_id])
    if not rows:
        raise HTTPException(404, f"No chunk {chunk_id} in {visit.channel} now.")
    response = visit.go("videos", rows[0]["video_id"])
    return RedirectResponse(f"{response.headers['location']}#t{int(rows[0]['start_seconds'])}", 303)


def show_claims(visit: Visit) -> Response:
    """List claims, by words or topic."""
    topic = visit.asked("topic")
    with visit.database.begin() as connection:
        found = listed(connection, visit, "claims", topic=topic, video_id="")
    return visit.show("claims.html.j2", found=found, topic=topic)


def show_threads(visit: Visit) -> Response:
    """List threads, those with the most claims first."""
    with visit.database.begin() as connection:
        found = listed(connection, visit, "threads")
    return visit.show("threads.html.j2", found=found)


def show_thread(visit: Visit) -> Response:
    """Show a thread's claims in order of time, with how many there are a month."""
    with visit.database.begin() as connection:
        rows = run_query(connection, "thread", channel=visit.channel, thread_id=visit.part("thread_id"))
        if not rows:
            raise HTTPException(404, f"No thread {visit.part('thread_id')} in {visit.channel}.")
        claims = claims_by_id(connection, visit.channel, rows[0]["claim_ids"])
    months = sorted(Counter(f"{claim.day:%Y-%m}" for claim in claims).items())
    line = time_line([(claim.day, claim.claim_id) for claim in claims])
    return visit.show("thread.html.j2", thread=rows[0], claims=claims, months=months, line=line)


def show_search(visit: Visit) -> Response:
    """Search the index as an arm would."""
    words, kind = visit.asked("find").strip()[:500], visit.asked("by", "hybrid")
    kind = kind if kind in RETRIEVERS else "hybrid"
    since, until = _day(visit.asked("since")), _day(visit.asked("until"))
    hits = []
    if words:
        found = search(
            visit.database,
            visit.channel,
            visit.language,
            RetrieverSettings.model_validate({"kind": kind}),
            visit.project.embedder(visit.channel),
            Query(words, since=since, until=until),
        )
        said = frozenset(tokens(words, visit.language))
        hits = [(hit, mark(hit.text, said, visit.language)) for hit in found.hits]
    with visit.database.begin() as connection:
        rows = run_query(
            connection, "evidence", channel=visit.channel, chunk_ids=[hit.chunk_id for hit, _ in hits]
        )
    return visit.show(
        "search.html.j2",
        words=words,
        kind=kind,
        since=since,
        until=until,
        hits=hits,
        retrievers=RETRIEVERS,
        links={row["chunk_id"]: second_link(row["url"], row["start_seconds"]) for row in rows},
        clock=clock,
    )


def show_quarantine(visit: Visit) -> Response:
    """Show what could not be read, and why."""
    figures = channel_figures(visit.database, visit.channel, visit.project.channel(visit.channel))
    return visit.show("quarantine.html.j2", figures=figures)


def _day(words: str) -> date | None:
    if not words:
        return None
    try:
        return date.fromisoformat(words)
    except ValueError as error:
        raise UserError(f"`{words[:40]}` is no day.", "Write it like 2025-09-14.") from error
