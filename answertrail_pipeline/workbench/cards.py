"""An item under decision, as a page shows it: its text, its log, what speaks for and against it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from answertrail_pipeline.gold.adjudication import Item, read_item
from answertrail_pipeline.gold.decisions import STATES, Decision, ItemKind, standing
from answertrail_pipeline.gold.store import StoredClaim, claims_by_id
from answertrail_pipeline.workbench.evidence import Passage, read_passages, run_query
from answertrail_pipeline.workbench.visit import Visit

INDEPENDENT = "mine"
"""The queue of a second reviewer, who is not shown what others decided."""
QUEUES = {
    "waiting": "Waiting for anybody",
    INDEPENDENT: "Not decided by me",
    "review": "Back for review",
    "all": "All",
}


@dataclass(frozen=True)
class Card:
    """A question or nugget with its evidence.

    Attributes:
        state: the item's, or only what this person said where they decide independently.
        seen: id of the newest decision that the page shows; None where it shows none.
        typed: what the person typed before a refusal; shown again.
        problem: why it was refused.
    """

    item: Item
    state: str
    warnings: Sequence[Mapping[str, str]]
    claims: Sequence[StoredClaim]
    passages: Sequence[Passage]
    row: Mapping[str, Any]
    log: Sequence[Decision]
    seen: int | None
    typed: Mapping[str, str]
    problem: str = ""

    @property
    def is_open(self) -> bool:
        """Whether a decision is still to be taken."""
        return self.state == "proposed"


def read_card(
    connection: Connection,
    visit: Visit,
    kind: ItemKind,
    item_id: str,
    row: Mapping[str, Any],
    queue: str,
    problem: str = "",
) -> Card:
    """Read an item with its claims, chunks and log.

    Raises:
        UserError: there is no such item.
    """
    item = read_item(connection, visit.channel, kind, item_id)
    claims = claims_by_id(connection, visit.channel, row["claim_ids"])
    chunk_ids = {*row["chunk_ids"], *(chunk for claim in claims for chunk in claim.chunk_ids)}
    passages = read_passages(connection, visit.channel, chunk_ids, [c.text for c in claims], visit.language)
    hidden = queue == INDEPENDENT
    log = [decision for decision in item.log if not hidden or decision.reviewer == visit.person]
    own = [d for d in standing(log) if d.decision in STATES]
    state = (STATES[own[-1].decision] if own else "proposed") if hidden else item.state
    return Card(
        item=item,
        state=state,
        warnings=row["detail"].get("warnings", []),
        claims=claims,
        passages=passages,
        row=row,
        log=log,
        seen=log[-1].adjudication_id if log else None,
        typed=visit.form if problem else {},
        problem=problem,
    )


def pace(connection: Connection, visit: Visit, kind: ItemKind) -> float | None:
    """Return the person's median seconds an item; None before two decisions."""
    row = run_query(connection, "pace", channel=visit.channel, kind=kind, person=visit.person)[0]
    return float(row["seconds"]) if row["seconds"] is not None else None
