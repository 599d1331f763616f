"""The log of decisions on one item, and what it comes to. Pure: the log is read and written elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Verdict = Literal["keep", "cut", "segregate"]
ItemKind = Literal["question", "nugget"]
STATES: dict[str, str] = {"keep": "kept", "cut": "cut", "segregate": "segregated"}
REASON_CODES: dict[str, str] = {
    "gives_away": "the question gives its answer away",
    "unspecific": "it does not say what it is about",
    "unnatural": "nobody would ask it so",
    "not_answered": "the claim does not answer it",
    "not_in_chunks": "the chunks do not say it",
    "wrong": "it is wrong, or says the opposite of its chunk",
    "bundled": "it holds two checkable parts",
    "duplicate": "another question asks the same",
    "no_change": "the view did not change",
    "other": "another reason, in words",
}
"""Why something is cut or segregated, by code."""


@dataclass(frozen=True)
class Decision:
    """One row of the log.

    Attributes:
        decision: keep, cut, segregate, edit or undo.
        seen: the newest decision on the item that the person had before their eyes; None for none.
        undoes: the decision that an undo takes back.
    """

    adjudication_id: int
    decision: str
    reviewer: str
    decided_at: datetime
    reason_code: str | None = None
    reason: str | None = None
    old_text: str | None = None
    new_text: str | None = None
    old_window: str | None = None
    new_window: str | None = None
    undoes: int | None = None
    seen: int | None = None


def standing(log: Sequence[Decision]) -> list[Decision]:
    """Return the decisions that hold: without those that were taken back, and without the undoing itself."""
    undone = {decision.undoes for decision in log}
    return [d for d in log if d.decision != "undo" and d.adjudication_id not in undone]


def state_of(log: Sequence[Decision]) -> str:
    """Return `proposed`, or what the last verdict that holds says."""
    verdicts = [decision for decision in standing(log) if decision.decision in STATES]
    return STATES[verdicts[-1].decision] if verdicts else "proposed"


def text_of(log: Sequence[Decision], current: str) -> str:
    """Return the item's text after the edits that hold; `current` where nobody ever edited."""
    edits = [decision for decision in log if decision.decision == "edit"]
    if not edits:
        return current
    held = [decision.new_text for decision in standing(log) if decision.decision == "edit"]
    return (held[-1] if held else edits[0].old_text) or current


def window_of(log: Sequence[Decision], current: str | None) -> str | None:
    """Return the item's window after the edits that hold."""
    edits = [decision for decision in log if decision.decision == "edit"]
    if not edits:
        return current
    held = [decision for decision in standing(log) if decision.decision == "edit"]
    return held[-1].new_window if held else edits[0].old_window


def differing(log: Sequence[Decision]) -> list[Decision]:
    """Return each reviewer's last verdict where they differ and nobody has settled it; else nothing.

    It is settled by whoever decides last having seen the others' verdicts, a third person or one of the two.
    """
    last: dict[str, Decision] = {}
    for decision in standing(log):
        if decision.decision in STATES:
            last[decision.reviewer] = decision
    verdicts = sorted(last.values(), key=lambda decision: decision.adjudication_id)
    if len({decision.decision for decision in verdicts}) < 2:
        return []
    newest = verdicts[-1]
    unseen = [d for d in verdicts[:-1] if d.decision != newest.decision and d.adjudication_id > (newest.seen or 0)]
    return verdicts if unseen else []
