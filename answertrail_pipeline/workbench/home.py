"""The channels, one channel's overview, who works here, and gold versions: freeze and compare."""

from typing import Literal
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from answertrail_pipeline.agents.runs import list_runs
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.adjudication import waiting
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.gold.versions import diff_gold, freeze, load_gold
from answertrail_pipeline.scoring.model_checks import check_notes, load_checks, load_uses
from answertrail_pipeline.workbench.evidence import run_query
from answertrail_pipeline.workbench.visit import NAME_COOKIE, Visit, page

LONGEST_NAME = 60
YEAR = 365 * 24 * 3600


def routes() -> list[Route]:
    """Return the routes of this module."""
    return [
        page("/", show_channels),
        page("/name", show_name),
        page("/name", take_name, "POST"),
        page("/c/{channel}", show_channel),
        page("/c/{channel}/gold", show_gold),
        page("/c/{channel}/gold", freeze_gold, "POST"),
    ]


def show_channels(visit: Visit) -> Response:
    """List the channels; go straight to the only one."""
    names = sorted(visit.project.settings.channels)
    if len(names) == 1:
        return RedirectResponse(f"/c/{names[0]}", 303)
    left = {name: waiting(visit.database, name) for name in names}
    return visit.show("channels.html.j2", channels=visit.project.settings.channels, left=left)


def show_name(visit: Visit) -> Response:
    """Ask who works here."""
    return visit.show("name.html.j2", back=_inside(visit.asked("back", "/")), problem="")


def take_name(visit: Visit) -> Response:
    """Remember who works here; where a proxy names the person, that holds."""
    name, back = " ".join(visit.field("name").split()), _inside(visit.field("back"))
    if not name or len(name) > LONGEST_NAME:
        problem = f"Write a name of at most {LONGEST_NAME} characters."
        return visit.show("name.html.j2", 400, back=back, problem=problem)
    response = RedirectResponse(back, 303)
    response.set_cookie(NAME_COOKIE, quote(name), max_age=YEAR, httponly=True, samesite="lax")
    return response


def _inside(back: str) -> str:
    """Return an address of ours; the front page for anything that leads elsewhere."""
    return back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"


def show_channel(visit: Visit) -> Response:
    """Show what waits for a person, and what there is."""
    with visit.database.begin() as connection:
        figures = run_query(connection, "overview", channel=visit.channel)[0]
        labelled = run_query(connection, "labelled", channel=visit.channel, person=visit.person)[0]
        models = check_notes(load_uses(connection, visit.channel), load_checks(connection))
    return visit.show(
        "channel.html.j2",
        models=models,
        figures=figures,
        labelled=labelled,
        left=waiting(visit.database, visit.channel),
        runs=list_runs(visit.database, visit.channel)[::-1][:6],
        title=visit.project.channel(visit.channel).title or visit.channel,
    )


def show_gold(visit: Visit) -> Response:
    """Show the frozen versions, what keeps the next from being frozen, and how two differ."""
    return _gold(visit)


def freeze_gold(visit: Visit) -> Response:
    """Freeze what was kept as a new version."""
    policy: Literal["people", "auto"] = "auto" if visit.field("policy") == "auto" else "people"
    try:
        made = freeze(visit.database, visit.channel, visit.field("name") or None, policy)
    except UserError as error:
        return _gold(visit, str(error), 400)
    return visit.go("gold", frozen=made.gold_version)


def _gold(visit: Visit, problem: str = "", status: int = 200) -> Response:
    with visit.database.begin() as connection:
        versions = run_query(connection, "versions", channel=visit.channel)
    names = [row["gold_version"] for row in versions]
    before, after = visit.asked("from"), visit.asked("to")
    difference = None
    if before in names and after in names:
        difference = diff_gold(_version(visit, before), _version(visit, after))
    return visit.show(
        "gold.html.j2",
        status,
        versions=versions,
        left=waiting(visit.database, visit.channel),
        problem=problem,
        difference=difference,
        before=before,
        after=after,
        frozen=visit.asked("frozen"),
    )


def _version(visit: Visit, name: str) -> GoldVersion:
    gold = load_gold(visit.database, visit.channel, name)
    if gold is None:
        raise UserError(f"No gold version {name}.", "Choose one of the list.")
    return gold
