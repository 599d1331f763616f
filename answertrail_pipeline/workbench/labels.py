"""Label blind: a claim and a text, HIT, MISS or unsure. The judge's verdict is never read here."""

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from answertrail_pipeline.judging.pairs import BlindPair, blind_pairs, store_label
from answertrail_pipeline.workbench.evidence import run_query
from answertrail_pipeline.workbench.visit import Visit, page

ASKS = {
    "recall": "Does the answer state this fact?",
    "ceiling": "Do these passages state this fact?",
    "grounded": "Do these passages support this statement?",
    "cited": "Does the cited passage support this statement?",
    "coverage": "Does the text tell of this event?",
    "same_event": "Are these the same event?",
    "slot": "Does the text support this detail?",
}
"""What a person is asked, by purpose."""


def routes() -> list[Route]:
    """Return the routes of this module."""
    return [
        page("/c/{channel}/label", show_pair, named=True),
        page("/c/{channel}/label", keep_label, "POST"),
    ]


def show_pair(visit: Visit) -> Response:
    """Show the first pair that the person has not labelled, or one that they want to label again.

    `purpose` and `language` narrow the pairs, for people who read some languages only.
    """
    again = visit.asked("pair")
    chosen = {"purpose": visit.asked("purpose"), "language": visit.asked("language")}
    with visit.database.begin() as connection:
        progress = run_query(connection, "labelled", channel=visit.channel, person=visit.person)[0]
        cells = run_query(connection, "label_cells", channel=visit.channel, person=visit.person)
        seconds = run_query(connection, "label_pace", channel=visit.channel, person=visit.person)[0]["seconds"]
    return visit.show(
        "label.html.j2",
        pair=_pair(visit, again, chosen),
        cells=cells,
        chosen=chosen,
        progress=progress,
        seconds=seconds,
        asks=ASKS,
        again=again,
    )


def _pair(visit: Visit, again: str, chosen: Mapping[str, str]) -> BlindPair | None:
    if not again:
        purpose, language = (chosen[name] or None for name in ("purpose", "language"))
        left = blind_pairs(visit.database, visit.channel, visit.person, purpose, language)
        return next(iter(left), None)
    found = [pair for pair in blind_pairs(visit.database, visit.channel) if pair.pair_id == again]
    if not found:
        raise HTTPException(404, f"There is no calibration pair {again}.")
    return found[0]


def keep_label(visit: Visit) -> Response:
    """Keep a label and show the next pair."""
    store_label(
        visit.database,
        visit.field("pair_id"),
        visit.person,
        visit.field("label"),
        visit.field("reason") or None,
    )
    return visit.go("label", purpose=visit.field("purpose"), language=visit.field("language"))
