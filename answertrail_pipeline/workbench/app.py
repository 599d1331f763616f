"""The workbench as one Starlette application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.reporting.html import stylesheet
from answertrail_pipeline.workbench import (
    asking,
    biographies,
    browse,
    decide,
    home,
    labels,
    nuggets,
    questions,
    trails,
)
from answertrail_pipeline.workbench.access import Access, Guard
from answertrail_pipeline.workbench.asking import Inquiries
from answertrail_pipeline.workbench.visit import Visit

_PAGES = (home, decide, questions, nuggets, labels, trails, asking, browse, biographies)


def build_app(project: Project, access: Access) -> Starlette:
    """Return the application over an open project."""
    inquiries = Inquiries(project)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        inquiries.open()
        yield
        await inquiries.close()

    static = Path(str(files("answertrail_pipeline.workbench").joinpath("static")))
    app = Starlette(
        routes=[
            *(route for module in _PAGES for route in module.routes()),
            Route("/static/report.css", _report_css),
            Mount("/static", StaticFiles(directory=static)),
        ],
        middleware=[Middleware(Guard, access=access)],
        exception_handlers={HTTPException: _refuse},
        lifespan=lifespan,
    )
    app.state.project = project
    app.state.access = access
    app.state.inquiries = inquiries
    return app


def _report_css(_request: Request) -> Response:
    """The report's stylesheet: one look for both."""
    return Response(stylesheet(), media_type="text/css")


async def _refuse(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    visit = Visit(request, request.app.state.project, request.app.state.access, "", "", {})
    return visit.show("refused.html.j2", error.status_code, error=error)
