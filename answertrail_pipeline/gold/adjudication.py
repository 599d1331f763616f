"""A person's decisions on proposals: append-only, time-stamped, undoable, safe when two people work at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.decisions import (
    REASON_CODES,
    STATES,
    Decision,
    ItemKind,
    differing,
    standing,
    state_of,
    text_of,
    window_of,
)
from answertrail_pipeline.hashing import text_sha256
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.time_windows import parse_window

AUTO = "policy auto"
"""The reviewer's name of what no person decided."""


@dataclass(frozen=True)
class Outcome:
    """What a decision came to.

    Attributes:
        newer: decisions by others that the person had not seen; nothing of theirs is lost.
    """

    adjudication_id: int
    state: str
    newer: tuple[Decision, ...] = ()


@dataclass(frozen=True)
class Item:
    """A question or nugget as it stands, with its log."""

    kind: ItemKind
    item_id: str
    text: str
    state: str
    window_text: str | None
    log: tuple[Decision, ...]

    @property
    def text_sha256(self) -> str:
        """Hash of the text that a person sees; a decision names it."""
        return text_sha256(self.text)


def decide(
    database: Database,
    channel: str,
    kind: ItemKind,
    item_id: str,
    decision: str,
    reviewer: str,
    *,
    reason_code: str | None = None,
    reason: str | None = None,
    new_text: str | None = None,
    new_window: str | None = None,
    seen: int | None = None,
    seen_sha256: str | None = None,
) -> Outcome:
    """Append a decision (`keep`, `cut`, `segregate`, `edit`) and bring the item up to date.

    Args:
        item_id: `question_id`, or `question_id/nugget_id`.
        reviewer: who decides; never empty.
        new_text: for `edit`: the new words.
        new_window: for `edit` of a nugget: the new window in words; its window stays where None.
        seen: id of the newest decision on the item that the person saw.
        seen_sha256: hash of the text that the person saw; refused where the text changed since.

    Raises:
        UserError: no such item, an unknown decision or reason code, a cut without a reason, a window that cannot
            be read, or a text that changed under the person.
    """
    check_decision(kind, decision, reviewer, reason_code, new_text, new_window)
    with database.begin() as connection:
        item = _locked(connection, channel, kind, item_id)
        if seen_sha256 is not None and seen_sha256 != item.text_sha256:
            raise UserError(
                f"The text of {kind} {item_id} has changed since you saw it.", "Read it again and decide anew."
            )
        row = _verdict(decision, reason_code, reason, seen)
        return _append(connection, channel, item, reviewer, {**row, **_edit(item, decision, new_text, new_window)})


def _verdict(
    decision: str, reason_code: str | None = None, reason: str | None = None, seen: int | None = None
) -> dict[str, Any]:
    return {"decision": decision, "reason_code": reason_code, "reason": reason, "seen": seen, "undoes": None}


def undo(database: Database, channel: str, kind: ItemKind, item_id: str, reviewer: str) -> Outcome:
    """Take back the reviewer's own last decision on an item.

    Raises:
        UserError: the reviewer has no decision on it that holds.
    """
    with database.begin() as connection:
        item = _locked(connection, channel, kind, item_id)
        own = [decision for decision in standing(item.log) if decision.reviewer == reviewer]
        if not own:
            raise UserError(f"{reviewer} has no decision on {kind} {item_id}.", "There is nothing to undo.")
        row = {"decision": "undo", "undoes": own[-1].adjudication_id, "reason_code": None, "reason": None}
        empty = {"seen": item.log[-1].adjudication_id, **_edit(item, "undo", None, None)}
        return _append(connection, channel, item, reviewer, {**row, **empty})


def add_nugget(
    database: Database,
    channel: str,
    question_id: str,
    kind: str,
    words: str,
    reviewer: str,
    *,
    window: str | None = None,
    like: str | None = None,
) -> str:
    """Add a nugget that a person wrote, kept at once, and return its id.

    Args:
        like: nugget whose claims and chunks it takes over (a part of a bundled one).

    Raises:
        UserError: no such question or nugget, a window that cannot be read, or a stance without one.
    """
    with database.begin() as connection:
        _locked(connection, channel, "question", question_id)
        return _add_kept(connection, channel, question_id, kind, words, reviewer, window, like)


def _add_kept(
    connection: Connection,
    channel: str,
    question_id: str,
    kind: str,
    words: str,
    reviewer: str,
    window: str | None,
    like: str | None,
) -> str:
    """Add a nugget to a question that is held, and keep it."""
    if kind == "stance" and not window:
        raise UserError("A stance needs the time at which it was held.", "Write it like `mid 2025`.")
    check_decision("nugget", "keep", reviewer, None, None, window)
    parsed = parse_window(window) if window else None
    where = {"channel": channel, "question_id": question_id}
    source = connection.execute(
        text(
            "select claim_ids, chunk_ids from nuggets where channel = :channel and question_id = :question_id"
            " and nugget_id = :like"
        ),
        {**where, "like": like},
    ).first()
    if like is not None and source is None:
        raise UserError(f"No nugget {like} on question {question_id}.", "Name one that is there.")
    ids = connection.execute(
        text("select nugget_id from nuggets where channel = :channel and question_id = :question_id"), where
    ).scalars()
    number = max((int(key[1:]) for key in ids if key[1:].isdigit()), default=0) + 1
    connection.execute(
        text(read_sql("queries/add_nugget.sql")),
        {
            **where,
            "nugget_id": f"n{number}",
            "kind": kind,
            "text": words,
            "window_text": window,
            "window_from": parsed.start if parsed else None,
            "window_to": parsed.end if parsed else None,
            "claim_ids": list(source.claim_ids) if source else [],
            "chunk_ids": list(source.chunk_ids) if source else [],
            "written_by": reviewer,
        },
    )
    item = _locked(connection, channel, "nugget", f"{question_id}/n{number}")
    _append(connection, channel, item, reviewer, {**_verdict("keep"), **_edit(item, "keep", None, None)})
    return f"n{number}"


def split_nugget(database: Database, channel: str, item_id: str, parts: Sequence[str], reviewer: str) -> list[str]:
    """Cut a bundled nugget and add its parts in its place, all or nothing; return their ids.

    Raises:
        UserError: no such nugget, or fewer than two parts.
    """
    if len(parts) < 2 or not all(part.strip() for part in parts):
        raise UserError(f"{len(parts)} parts for nugget {item_id}.", "Write at least two, none of them empty.")
    question_id, _, nugget_id = item_id.rpartition("/")
    with database.begin() as connection:
        _locked(connection, channel, "question", question_id)
        item = _locked(connection, channel, "nugget", item_id)
        kind = connection.execute(
            text(
                "select kind from nuggets where channel = :channel and question_id = :question_id"
                " and nugget_id = :nugget_id"
            ),
            {"channel": channel, "question_id": question_id, "nugget_id": nugget_id},
        ).scalar_one()
        made = [
            _add_kept(connection, channel, question_id, kind, part, reviewer, item.window_text, nugget_id)
            for part in parts
        ]
        cut = {**_verdict("cut", "bundled"), **_edit(item, "cut", None, None)}
        _append(connection, channel, item, reviewer, cut)
    return made


def read_item(connection: Connection, channel: str, kind: ItemKind, item_id: str) -> Item:
    """Return an item with its log.

    Raises:
        UserError: there is none of that id.
    """
    return _read(connection, channel, kind, item_id, "")


def conflicts(database: Database, channel: str) -> dict[str, list[Decision]]:
    """Return the items on which reviewers differ and nobody has settled it, by `kind item_id`."""
    logs: dict[tuple[str, str], list[Decision]] = {}
    with database.begin() as connection:
        rows = connection.execute(text(read_sql("queries/decisions_of_channel.sql")), {"channel": channel})
        for row in rows:
            logs.setdefault((row.item_kind, row.item_id), []).append(_decision(row))
    return {f"{kind} {key}": found for (kind, key), log in sorted(logs.items()) if (found := differing(log))}


def waiting(database: Database, channel: str) -> dict[str, int]:
    """Return how many proposals wait for a person, by kind; empty where none does."""
    with database.begin() as connection:
        row = connection.execute(text(read_sql("queries/waiting.sql")), {"channel": channel}).one()
    counts = {
        "questions": row.questions,
        "nuggets": row.nuggets,
        "given_away": row.given_away,
        "conflicts": len(conflicts(database, channel)),
    }
    return {name: count for name, count in counts.items() if count}


def check_decision(
    kind: ItemKind,
    decision: str,
    reviewer: str,
    reason_code: str | None,
    new_text: str | None,
    new_window: str | None,
) -> None:
    """Refuse a decision that cannot be taken on any item of its kind.

    Raises:
        UserError: an unknown decision or reason code, no reviewer, a cut without a reason, an edit without words,
            a window that cannot be read.
    """
    allowed = [*STATES, "edit"] if kind == "question" else ["keep", "cut", "edit"]
    if decision not in allowed:
        raise UserError(f"`{decision}` is no decision on a {kind}.", f"Use one of: {', '.join(allowed)}.")
    if not reviewer.strip():
        raise UserError("A decision needs a reviewer's name.", "Say who decides.")
    if reason_code is not None and reason_code not in REASON_CODES:
        raise UserError(f"`{reason_code}` is no reason code.", f"Use one of: {', '.join(REASON_CODES)}.")
    if decision == "cut" and reason_code is None:
        raise UserError("A cut needs a reason.", f"Give one of: {', '.join(REASON_CODES)}.")
    if decision == "edit" and not (new_text or "").strip():
        raise UserError("An edit needs the new text.", "Write it, or cut the item.")
    if new_window:
        parse_window(new_window)


def _edit(item: Item, decision: str, new_text: str | None, new_window: str | None) -> dict[str, str | None]:
    if decision != "edit":
        return {"new_text": None, "old_text": None, "new_window": None, "old_window": None}
    return {
        "new_text": " ".join((new_text or "").split()),
        "old_text": item.text,
        "new_window": new_window if new_window is not None else item.window_text,
        "old_window": item.window_text,
    }


def _append(connection: Connection, channel: str, item: Item, reviewer: str, row: dict[str, Any]) -> Outcome:
    insert_rows(
        connection,
        "adjudications",
        [
            {
                **row,
                "channel": channel,
                "item_kind": item.kind,
                "item_id": item.item_id,
                "item_sha256": item.text_sha256,
                "reviewer": reviewer.strip(),
            }
        ],
    )
    log = _log(connection, channel, item.kind, item.item_id)
    _bring_up_to_date(connection, channel, item, log)
    seen = row["seen"] or 0
    newer = tuple(d for d in item.log if d.adjudication_id > seen and d.reviewer != reviewer.strip())
    return Outcome(log[-1].adjudication_id, state_of(log), newer)


def _bring_up_to_date(connection: Connection, channel: str, item: Item, log: Sequence[Decision]) -> None:
    window = window_of(log, item.window_text)
    parsed = parse_window(window) if window and window != item.window_text else None
    values = {"channel": channel, "text": text_of(log, item.text), "state": state_of(log)}
    if item.kind == "question":
        connection.execute(
            text(
                "update questions set text = :text, state = :state"
                " where channel = :channel and question_id = :question_id"
            ),
            {**values, "question_id": item.item_id},
        )
        return
    question_id, _, nugget_id = item.item_id.rpartition("/")
    keys = {"question_id": question_id, "nugget_id": nugget_id}
    connection.execute(text(read_sql("queries/update_nugget.sql")), {**values, **keys})
    if parsed:
        connection.execute(
            text(read_sql("queries/update_nugget_window.sql")),
            {"channel": channel, **keys, "window": window, "start": parsed.start, "end": parsed.end},
        )


def _locked(connection: Connection, channel: str, kind: ItemKind, item_id: str) -> Item:
    """Return an item, held until the transaction ends: a second reviewer waits and then sees the first's word."""
    return _read(connection, channel, kind, item_id, " for update")


def _read(connection: Connection, channel: str, kind: ItemKind, item_id: str, lock: str) -> Item:
    if kind == "question":
        statement = (
            "select text, state, null as window_text from questions"
            " where channel = :channel and question_id = :question_id"
        )
        values = {"channel": channel, "question_id": item_id}
    else:
        question_id, _, nugget_id = item_id.rpartition("/")
        statement = (
            "select text, state, window_text from nuggets"
            " where channel = :channel and question_id = :question_id and nugget_id = :nugget_id"
        )
        values = {"channel": channel, "question_id": question_id, "nugget_id": nugget_id}
    row = connection.execute(text(statement + lock), values).first()
    if row is None:
        raise UserError(f"No {kind} `{item_id}` in {channel}.", "Copy its id from the workbench or an export.")
    log = tuple(_log(connection, channel, kind, item_id))
    return Item(kind, item_id, row.text, row.state, row.window_text, log)


def _log(connection: Connection, channel: str, kind: str, item_id: str) -> list[Decision]:
    rows = connection.execute(
        text(read_sql("queries/decisions_of_item.sql")), {"channel": channel, "kind": kind, "item_id": item_id}
    )
    return [_decision(row) for row in rows]


def _decision(row: Any) -> Decision:
    return Decision(**{name: getattr(row, name) for name in Decision.__dataclass_fields__})
