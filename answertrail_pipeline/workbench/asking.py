"""Ask: a question, an arm, the searches as they happen and the cited answer; by the same code as a run's."""

import asyncio
import logging
import secrets
from dataclasses import dataclass, field
from typing import Any

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from answertrail_pipeline.agents.arms import Arm, make_arm
from answertrail_pipeline.agents.ask import AgentError, ask, ready_arm
from answertrail_pipeline.agents.types import Trail
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.workbench.evidence import clock, run_query, second_link
from answertrail_pipeline.workbench.narrate import answer_pieces, cited_first, remarks, searches_of
from answertrail_pipeline.workbench.visit import Visit, page

STAGE = "asked"
"""On whose account the ledger books what is asked here."""
KEPT = 100
AT_ONCE = 4
LONGEST = 2000


@dataclass
class Inquiry:
    """A question on its way.

    Attributes:
        events: what happened so far, in order.
        trail: once it is done; without an answer where it failed.
        problem: why there is no answer.
    """

    key: str
    channel: str
    arm_name: str
    question: str
    person: str
    events: list[dict[str, Any]] = field(default_factory=list)
    trail: Trail | None = None
    problem: str = ""

    @property
    def is_done(self) -> bool:
        """Whether nothing more will happen."""
        return self.trail is not None or bool(self.problem)


class Inquiries:
    """The questions asked since the workbench started; the newest are kept. Works on the server's event loop."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._all: dict[str, Inquiry] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Take the running event loop."""
        self._loop = asyncio.get_running_loop()

    async def close(self) -> None:
        """Stop what is on its way, and close the door to models."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._project.door.close()

    def of_channel(self, channel: str) -> list[Inquiry]:
        """Return a channel's inquiries, newest first."""
        return [inquiry for inquiry in reversed(self._all.values()) if inquiry.channel == channel]

    def get(self, key: str) -> Inquiry | None:
        """Return an inquiry by its key."""
        return self._all.get(key)

    def start(self, inquiry: Inquiry, arm: Arm) -> None:
        """Begin to ask; called from a thread.

        Raises:
            UserError: too many are on their way.
        """
        going = [one for one in self._all.values() if not one.is_done]
        if len(going) >= AT_ONCE:
            raise UserError(f"{AT_ONCE} questions are on their way already.", "Wait until one is answered.")
        for old in [key for key, one in self._all.items() if one.is_done][: max(0, len(self._all) + 1 - KEPT)]:
            del self._all[old]
        self._all[inquiry.key] = inquiry
        if self._loop is None:
            raise RuntimeError("the workbench is not running")
        self._loop.call_soon_threadsafe(self._begin, inquiry, arm)

    def _begin(self, inquiry: Inquiry, arm: Arm) -> None:
        task = asyncio.ensure_future(self._ask(inquiry, arm))
        self._tasks.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logging.getLogger(__name__).error("a question could not be asked", exc_info=error)

    async def _ask(self, inquiry: Inquiry, arm: Arm) -> None:
        project, channel = self._project, inquiry.channel
        try:
            embedder = await to_thread.run_sync(project.embedder, channel)
            gold = await to_thread.run_sync(load_gold, project.database, channel)
            ready = await to_thread.run_sync(
                ready_arm, project.door, project.settings, embedder, channel, arm, None, gold
            )
            account = Account(channel, STAGE, f"{channel}/{inquiry.key}", None, inquiry.arm_name)
            inquiry.trail = await ask(ready, inquiry.question, account, listener=inquiry.events.append)
        except AgentError as error:
            inquiry.problem, inquiry.trail = error.message, error.trail
        except UserError as error:
            inquiry.problem = str(error)
        finally:
            if not inquiry.is_done:
                inquiry.problem = "It was stopped by an error of the program; its log says which."


def routes() -> list[Route]:
    """Return the routes of this module."""
    return [
        page("/c/{channel}/ask", show_form),
        page("/c/{channel}/ask", begin, "POST"),
        page("/c/{channel}/ask/{key}", show_inquiry),
        page("/c/{channel}/ask/{key}/live", show_live),
    ]


def show_form(visit: Visit) -> Response:
    """Show the form and what was asked before."""
    return _form(visit)


def _form(visit: Visit, problem: str = "", status: int = 200) -> Response:
    settings = visit.project.settings
    arms = {
        name: make_arm(name, settings, visit.channel)
        for name, arm in sorted(settings.arms.items())
        if arm.agent != "biography"
    }
    return visit.show(
        "ask.html.j2",
        status,
        arms=arms,
        asked=_inquiries(visit).of_channel(visit.channel),
        problem=problem,
        paid={name for name, arm in arms.items() if _costs(arm)},
        longest=LONGEST,
    )


def begin(visit: Visit) -> Response:
    """Ask, and show the page where it can be watched."""
    question, name = visit.field("question"), visit.field("arm")
    try:
        if not question or len(question) > LONGEST:
            raise UserError(
                f"The question has {len(question):,} characters.", f"Write one of at most {LONGEST:,}."
            )
        arm = make_arm(name, visit.project.settings, visit.channel)
        if _costs(arm) and not visit.field("spend"):
            raise UserError(
                f"The arm {name} calls {arm.model_name}, which costs money.", "Tick that it may, and ask again."
            )
        inquiry = Inquiry(secrets.token_hex(8), visit.channel, name, question, visit.person)
        _inquiries(visit).start(inquiry, arm)
    except UserError as error:
        return _form(visit, str(error), 400)
    return visit.go("ask", inquiry.key)


def show_inquiry(visit: Visit) -> Response:
    """Show an inquiry; without JavaScript the page loads itself anew until it is done."""
    return _show(visit, "inquiry.html.j2")


def show_live(visit: Visit) -> Response:
    """Show only the part of an inquiry that grows."""
    response = _show(visit, "inquiry_live.html.j2")
    response.headers["X-Done"] = "yes" if _inquiry(visit).is_done else "no"
    return response


def _show(visit: Visit, template: str) -> Response:
    inquiry = _inquiry(visit)
    done, events = inquiry.is_done, list(inquiry.events)
    trail = inquiry.trail
    retrieved = trail.retrieved if trail else ()
    with visit.database.begin() as connection:
        rows = run_query(
            connection,
            "evidence",
            channel=visit.channel,
            chunk_ids=[chunk.hit.chunk_id for chunk in retrieved],
        )
    return visit.show(
        template,
        inquiry=inquiry,
        done=done,
        searches=searches_of(events),
        remarks=remarks(events),
        trail=trail,
        answer=answer_pieces(trail.answer) if trail else (),
        chunks=cited_first(trail) if trail else (),
        links={row["chunk_id"]: second_link(row["url"], row["start_seconds"]) for row in rows},
        clock=clock,
    )


def _inquiry(visit: Visit) -> Inquiry:
    found = _inquiries(visit).get(visit.part("key"))
    if found is None or found.channel != visit.channel:
        raise HTTPException(404, "This question was asked before the workbench was last started. Ask it again.")
    return found


def _inquiries(visit: Visit) -> Inquiries:
    made: Inquiries = visit.request.app.state.inquiries
    return made


def _costs(arm: Arm) -> bool:
    return arm.settings.agent != "external" and arm.role.model != "baseline"
