"""What a person does to items: keep, cut, segregate, edit, undo, add, split; and the view where two differ."""

from starlette.responses import Response
from starlette.routing import Route

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.adjudication import (
    Outcome,
    add_nugget,
    conflicts,
    decide,
    read_item,
    split_nugget,
    undo,
)
from answertrail_pipeline.gold.decisions import REASON_CODES, ItemKind
from answertrail_pipeline.workbench.cards import INDEPENDENT
from answertrail_pipeline.workbench.nuggets import KINDS, render_nuggets
from answertrail_pipeline.workbench.questions import next_question, queue_of, render_question
from answertrail_pipeline.workbench.visit import Visit, page


def routes() -> list[Route]:
    """Return the routes of this module."""
    return [
        page("/c/{channel}/decide", take_decision, "POST"),
        page("/c/{channel}/undo", take_back, "POST"),
        page("/c/{channel}/nugget", add, "POST"),
        page("/c/{channel}/split", split, "POST"),
        page("/c/{channel}/differences", show_differences, named=True),
    ]


def take_decision(visit: Visit) -> Response:
    """Decide on an item and go to the next, or stay where somebody else decided meanwhile."""
    kind, item_id = _item(visit)
    try:
        outcome = _decide(visit, kind, item_id)
    except UserError as error:
        return _again(visit, kind, item_id, error)
    if visit.field("back") == "differences":
        return visit.go("differences")
    if outcome.newer and queue_of(visit) != INDEPENDENT:
        return _to_item(visit, kind, item_id, newer=len(outcome.newer))
    if visit.field("decision") == "edit" and not visit.field("then"):
        return _to_item(visit, kind, item_id)
    return _to_next(visit, kind, item_id)


def _decide(visit: Visit, kind: ItemKind, item_id: str) -> Outcome:
    seen = int(visit.field("seen")) if visit.field("seen").isdecimal() else None
    decision, then = visit.field("decision"), visit.field("then")
    editing = decision == "edit"
    outcome = decide(
        visit.database,
        visit.channel,
        kind,
        item_id,
        decision,
        visit.person,
        reason_code=visit.field("reason_code") or None if decision in ("cut", "segregate") else None,
        reason=visit.field("reason") or None if decision in ("cut", "segregate") else None,
        new_text=visit.field("new_text") if editing else None,
        new_window=visit.field("new_window") or None if editing else None,
        seen=seen,
        seen_sha256=visit.field("seen_sha256") or None,
    )
    if editing and then == "keep" and not outcome.newer:
        return decide(
            visit.database, visit.channel, kind, item_id, "keep", visit.person, seen=outcome.adjudication_id
        )
    return outcome


def take_back(visit: Visit) -> Response:
    """Undo the person's own last decision on an item and show the item."""
    kind, item_id = _item(visit)
    try:
        undo(visit.database, visit.channel, kind, item_id, visit.person)
    except UserError as error:
        return _again(visit, kind, item_id, error)
    return _to_item(visit, kind, item_id)


def add(visit: Visit) -> Response:
    """Add a nugget that the person wrote."""
    question_id = visit.field("question_id")
    try:
        if not visit.field("text"):
            raise UserError("The nugget has no words.", "Write the one fact that an answer must state.")
        if visit.field("kind") not in {kind for kinds in KINDS.values() for kind in kinds}:
            raise UserError(f"`{visit.field('kind')}` is no kind of nugget.", "Choose one of the list.")
        made = add_nugget(
            visit.database,
            visit.channel,
            question_id,
            visit.field("kind"),
            visit.field("text"),
            visit.person,
            window=visit.field("window") or None,
        )
    except UserError as error:
        return render_nuggets(visit, question_id, queue_of(visit), str(error), status=400)
    return _to_item(visit, "nugget", f"{question_id}/{made}")


def split(visit: Visit) -> Response:
    """Split a bundled nugget: one part a line."""
    item_id = visit.field("item_id")
    parts = [line.strip() for line in visit.form.get("parts", "").splitlines() if line.strip()]
    try:
        made = split_nugget(visit.database, visit.channel, item_id, parts, visit.person)
    except UserError as error:
        return _again(visit, "nugget", item_id, error)
    return _to_item(visit, "nugget", f"{item_id.rpartition('/')[0]}/{made[0]}")


def show_differences(visit: Visit) -> Response:
    """Show where two reviewers differ, with what each says, so that it can be settled."""
    differing = conflicts(visit.database, visit.channel)
    with visit.database.begin() as connection:
        shown = [
            (read_item(connection, visit.channel, "question" if kind == "question" else "nugget", item_id), found)
            for key, found in differing.items()
            for kind, _, item_id in [key.partition(" ")]
        ]
    return visit.show("differences.html.j2", shown=shown, reasons=REASON_CODES)


def _item(visit: Visit) -> tuple[ItemKind, str]:
    return ("nugget" if visit.field("kind") == "nugget" else "question"), visit.field("item_id")


def _again(visit: Visit, kind: ItemKind, item_id: str, error: UserError) -> Response:
    """Show the item again with what was typed and why it was refused."""
    with visit.database.begin() as connection:
        read_item(connection, visit.channel, kind, item_id)  # an id of nothing has no page
    queue = queue_of(visit)
    if kind == "question":
        return render_question(visit, item_id, queue, str(error), 400)
    return render_nuggets(visit, item_id.rpartition("/")[0], queue, str(error), item_id, 400)


def _to_item(visit: Visit, kind: ItemKind, item_id: str, newer: int = 0) -> Response:
    queue = queue_of(visit)
    if kind == "question":
        return visit.go("questions", item_id, queue=queue, newer=newer or "")
    question_id, _, nugget_id = item_id.rpartition("/")
    response = visit.go("nuggets", question_id, queue=queue, newer=newer or "")
    response.headers["location"] += f"#{nugget_id}"
    return response


def _to_next(visit: Visit, kind: ItemKind, item_id: str) -> Response:
    """Go to the next question, or stay with a question's nuggets: its page finds the next open one."""
    queue = queue_of(visit)
    if kind == "nugget":
        return visit.go("nuggets", item_id.rpartition("/")[0], queue=queue)
    with visit.database.begin() as connection:
        following, _ = next_question(connection, visit, queue, item_id)
    if following is None:
        return visit.go("questions", queue=queue)
    return visit.go("questions", following, queue=queue, done=item_id)
