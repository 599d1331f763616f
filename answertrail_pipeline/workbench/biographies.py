"""Careers: a channel's people, one person's time line with what was added and why, and promotion to the base."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.biographies.promotions import (
    freeze_promoted,
    promote_event,
    standing_promotions,
    withdraw_promotion,
)
from answertrail_pipeline.reporting.figures.career import career, tenure
from answertrail_pipeline.reporting.figures.svg import NARROW, WIDE
from answertrail_pipeline.scoring.factnet.explain import Career, Told, explain_career
from answertrail_pipeline.workbench.evidence import run_query
from answertrail_pipeline.workbench.visit import Visit, page

KINDS = {
    "base": "in the frozen base",
    "pooled": "added by the pool",
    "covered": "told by the reference text: in no score",
}
SLOTS = {"start": "start month", "end": "end month", "title": "title"}


def routes() -> list[Route]:
    """Return the routes of this module."""
    return [
        page("/c/{channel}/people", show_people),
        page("/c/{channel}/people", freeze_base, "POST", named=True),
        page("/c/{channel}/people/{person_id:path}", show_person),
        page("/c/{channel}/promote", promote, "POST", named=True),
        page("/c/{channel}/withdraw", withdraw, "POST", named=True),
    ]


def show_people(visit: Visit) -> Response:
    """List the people with how many events the base and the pool hold of each, and what waits to be frozen."""
    return _people(visit)


def _people(visit: Visit, problem: str = "", status: int = 200) -> Response:
    with visit.database.begin() as connection:
        rows = run_query(connection, "people", channel=visit.channel)
        standing = standing_promotions(connection, visit.channel)
    promoted = [(question_id, each) for question_id, listed in standing.items() for each in listed]
    return visit.show(
        "people.html.j2", status, rows=rows, promoted=promoted, frozen=visit.asked("frozen"), problem=problem
    )


def freeze_base(visit: Visit) -> Response:
    """Freeze the base with the promotions that stand as the next gold version."""
    try:
        made = freeze_promoted(visit.database, visit.channel)
    except UserError as error:
        return _people(visit, str(error), 400)
    return visit.go("people", frozen=made.gold_version)


def show_person(visit: Visit) -> Response:
    """Show one person's events: the truth, each arm's, the evidence, what was added and why."""
    found = explain_career(visit.database, visit.project.settings, visit.channel, visit.part("person_id"))
    with visit.database.begin() as connection:
        standing = standing_promotions(connection, visit.channel).get(found.person.person_id, [])
        chunks = run_query(
            connection, "kept_passages", question_id=found.person.person_id,
            run_keys=sorted({told.run_key for each in found.truth for told in each.told}
                            | {told.run_key for listed in found.outside.values() for told in listed}),
        )  # fmt: skip
    return visit.show(
        "person.html.j2",
        career=found,
        figures=_figures(found),
        kinds=KINDS,
        slots=SLOTS,
        promoted={each.event.content_hash: each for each in standing},
        chunks={row["chunk_id"]: {**row, "url": _web_address(row["url"])} for row in chunks},
        why_not=why_not,
    )


def promote(visit: Visit) -> Response:
    """Promote an event of the pool into the next base."""
    person_id, ordinal = visit.field("person_id"), visit.field("ordinal")
    promote_event(
        visit.database, visit.channel, person_id, visit.field("pool_id"),
        int(ordinal) if ordinal.isdecimal() else 0, visit.person, visit.field("reason") or None,
    )  # fmt: skip
    return RedirectResponse(f"{visit.link('people', person_id)}#e{ordinal}", 303)


def withdraw(visit: Visit) -> Response:
    """Take a promotion back."""
    person_id = visit.field("person_id")
    withdraw_promotion(visit.database, visit.channel, person_id, visit.field("event"), visit.person)
    return visit.go("people")


def why_not(told: Told) -> str:
    """Return why a coded event is in no truth, in one sentence."""
    if told.covered:
        return "The reference text tells it."
    if told.event.start is None:
        return "It has no year of start, so that nothing can be the same event."
    word: Mapping[str, Any] = told.words.get("grounded", {})
    if not told.supported:
        return f"Its own archive does not support it: {word.get('reason') or 'nothing was kept'}"
    return "Another row of the run was assigned to the event that it tells."


def _figures(found: Career) -> tuple[str, str] | None:
    tenures = [
        tenure(each.event.as_json(), each.kind, [arm for arm in found.arms if arm not in each.missed_by])
        for each in found.truth
    ]
    drawn = [each for each in tenures if each is not None]
    if not drawn:
        return None
    wide, narrow = (career(found.person.name, drawn, found.arms, layout) for layout in (WIDE, NARROW))
    return wide, narrow


def _web_address(url: str | None) -> str | None:
    return url if url and urlsplit(url).scheme in ("http", "https") else None
