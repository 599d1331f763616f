"""One visit of a page: who comes, to which channel, with what; and how a handler becomes an endpoint."""

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from urllib.parse import quote, unquote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from answertrail_pipeline.agents.passages import NO_DATE
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.workbench.access import Access

NAME_COOKIE = "answertrail_name"
PAGE = 50
"""Rows of a list page."""
MAX_FIELDS = 60


@dataclass(frozen=True)
class Visit:
    """A request, read.

    Attributes:
        channel: the one of the address; empty on pages of the whole project.
        person: who works here; empty where nobody said.
        form: the fields of a POST; each once.
    """

    request: Request
    project: Project
    access: Access
    channel: str
    person: str
    form: Mapping[str, str]

    @property
    def database(self) -> Database:
        """The project's database."""
        return self.project.database

    @property
    def language(self) -> str:
        """The channel's language."""
        return self.project.channel(self.channel).language

    def part(self, name: str) -> str:
        """Return a part of the address."""
        return str(self.request.path_params[name])

    def asked(self, name: str, default: str = "") -> str:
        """Return a parameter of the query."""
        return self.request.query_params.get(name, default)

    def number(self, name: str, default: int = 1) -> int:
        """Return a positive whole number of the query; the default for anything else."""
        given = self.asked(name)
        return max(1, int(given)) if given.isdecimal() and len(given) < 7 else default

    def field(self, name: str) -> str:
        """Return a field of the form, without space around it; empty where it is not there."""
        return self.form.get(name, "").strip()

    def link(self, *parts: str, **query: object) -> str:
        """Return the address of a page of this channel."""
        return channel_link(self.channel, *parts, **query)

    def go(self, *parts: str, **query: object) -> Response:
        """Send the browser to a page of this channel."""
        return RedirectResponse(self.link(*parts, **query), 303)

    def show(self, template: str, status: int = 200, **values: Any) -> Response:
        """Render a page. Everything that is not ours is escaped."""
        page = _environment().get_template(template)
        return HTMLResponse(page.render(visit=self, csrf=self.access.csrf(self.person), **values), status)


Handler = Callable[[Visit], Response]


def channel_link(channel: str, *parts: str, **query: object) -> str:
    """Return the address of a page of a channel; parameters that are empty are left out."""
    path = "/".join(quote(part, safe="") for part in ("c", channel, *parts))
    asked = urlencode({name: str(value) for name, value in query.items() if value not in (None, "")})
    return f"/{path}" + (f"?{asked}" if asked else "")


def page(path: str, handler: Handler, method: str = "GET", *, named: bool = False) -> Route:
    """Return the route of a handler, which works in a thread: it waits for the database.

    A page that is `named` is shown to somebody who said who they are; anybody else is asked first.

    A `UserError` becomes a page that says what is wrong and what to do. A form without its token is refused.
    """

    async def endpoint(request: Request) -> Response:
        visit = await _read(request)
        if named and not visit.person:
            back = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            return RedirectResponse(f"/name?{urlencode({'back': back})}", 303)
        if request.method == "POST" and not hmac.compare_digest(
            visit.field("csrf").encode(), visit.access.csrf(visit.person).encode()
        ):
            raise HTTPException(403, "This form is of another person or another start. Load its page anew.")
        return await run_in_threadpool(_answer, handler, visit)

    return Route(path, endpoint, methods=[method], name=f"{method} {path}")


def _answer(handler: Handler, visit: Visit) -> Response:
    try:
        if visit.channel:
            visit.project.channel(visit.channel)
        return handler(visit)
    except UserError as error:
        return visit.show("problem.html.j2", 400, error=error)


async def _read(request: Request) -> Visit:
    access: Access = request.app.state.access
    form: dict[str, str] = {}
    if request.method == "POST":
        async with request.form(max_files=0, max_fields=MAX_FIELDS) as given:
            form = {name: value for name, value in given.items() if isinstance(value, str)}
    person = access.proxy_user(request) or unquote(request.cookies.get(NAME_COOKIE, ""))
    channel = request.path_params.get("channel", "")
    return Visit(request, request.app.state.project, access, channel, person, form)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("answertrail_pipeline.workbench"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["link"] = channel_link
    environment.filters["day"] = _day
    return environment


def _day(when: datetime) -> str:
    """Return a day; foreign evidence may have none."""
    return "no date" if when == NO_DATE else f"{when:%Y-%m-%d}"
