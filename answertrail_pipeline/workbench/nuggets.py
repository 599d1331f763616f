"""Pages to adjudicate nuggets: the questions that have some, and one question with all of its nuggets."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.decisions import REASON_CODES
from answertrail_pipeline.time_windows import parse_window
from answertrail_pipeline.workbench.cards import INDEPENDENT, QUEUES, pace, read_card
from answertrail_pipeline.workbench.evidence import run_query, time_line
from answertrail_pipeline.workbench.lists import Listed, listed
from answertrail_pipeline.workbench.questions import queue_of, read_question
from answertrail_pipeline.workbench.visit import Visit, page

NUGGET_QUEUES = {name: QUEUES[name] for name in ("waiting", INDEPENDENT, "all")}
KINDS = {
    "factual": ("fact",),
    "longitudinal": ("stance", "shift", "no_change"),
    "biography": ("event",),
}
"""The kinds of nugget that a person may add, by tier."""


@dataclass(frozen=True)
class ReadWindow:
    """A window as it was read, or why it was not."""

    start: date | None = None
    end: date | None = None
    problem: str = ""

    @property
    def words(self) -> str:
        """The dates, or the problem, as one line."""
        if self.problem:
            return self.problem
        first = "the beginning" if self.start in (None, date.min) else f"{self.start:%-d %B %Y}"
        last = "today" if self.end in (None, date.max) else f"{self.end:%-d %B %Y}"
        return f"{first} to {last}"


def routes() -> list[Route]:
    """Return the routes of this module."""
    return [
        page("/c/{channel}/nuggets", show_list),
        page("/c/{channel}/nuggets/{question_id:path}", show_nuggets, named=True),
        page("/window", show_window),
    ]


def show_list(visit: Visit) -> Response:
    """List the questions whose nuggets are to be decided."""
    queue = queue_of(visit)
    with visit.database.begin() as connection:
        found: Listed = listed(connection, visit, "nugget_questions", queue=queue, person=visit.person, after="")
    return visit.show("nugget_list.html.j2", found=found, queue=queue, queues=NUGGET_QUEUES)


def show_nuggets(visit: Visit) -> Response:
    """Show a question with its nuggets."""
    return render_nuggets(visit, visit.part("question_id"), queue_of(visit))


def render_nuggets(
    visit: Visit, question_id: str, queue: str, problem: str = "", item_id: str = "", status: int = 200
) -> Response:
    """Render the nuggets of a question; a refused decision is shown on its nugget, or where one is added."""
    with visit.database.begin() as connection:
        question = read_question(connection, visit, question_id)
        rows = run_query(connection, "nuggets_of_question", channel=visit.channel, question_id=question_id)
        cards = [
            read_card(connection, visit, "nugget", key, row, queue, problem if key == item_id else "")
            for row in rows
            for key in [f"{question_id}/{row['nugget_id']}"]
        ]
        following, left = next_nuggets(connection, visit, queue, question_id)
        seconds = pace(connection, visit, "nugget")
    days = {claim.day: claim.claim_id for card in cards for claim in card.claims}
    windows = [
        (card.row["window_from"], card.row["window_to"], f"{card.row['nugget_id']}: {card.item.window_text}")
        for card in cards
        if card.state != "cut"
    ]
    return visit.show(
        "nuggets.html.j2",
        status,
        question=question,
        cards=cards,
        queue=queue,
        queues=NUGGET_QUEUES,
        following=following,
        left=left,
        seconds=seconds,
        line=time_line(list(days.items()), windows),
        reasons=REASON_CODES,
        kinds=KINDS[question["tier"]],
        problem="" if item_id else problem,
        newer=visit.asked("newer"),
        read_window=read_window,
    )


def next_nuggets(connection: Connection, visit: Visit, queue: str, question_id: str) -> tuple[str | None, int]:
    """Return the question whose nuggets follow, and how many questions have open ones."""
    rows = run_query(
        connection,
        "nugget_questions",
        channel=visit.channel,
        person=visit.person,
        queue=queue,
        after=question_id,
        find="",
        page=1,
        offset=0,
    )
    if not rows:
        return None, 0
    following = rows[0]["question_id"]
    return (following if following != question_id else None), rows[0]["total"]


def show_window(visit: Visit) -> Response:
    """Say how a window is read, for the line under the field that it is typed into."""
    read = read_window(visit.asked("text")[:200])
    from markupsafe import escape

    return HTMLResponse(str(escape(read.words)), headers={"X-Readable": "no" if read.problem else "yes"})


def read_window(words: str | None) -> ReadWindow:
    """Read a window in words."""
    if not words or not words.strip():
        return ReadWindow(problem="No time.")
    try:
        window = parse_window(words)
    except UserError as error:
        return ReadWindow(problem=str(error))
    return ReadWindow(window.start, window.end)
