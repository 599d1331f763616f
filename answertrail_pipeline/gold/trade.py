"""Decisions without the page: proposals to CSV or Markdown, edited by hand, and read back line by line."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.adjudication import check_decision, decide, read_item
from answertrail_pipeline.gold.decisions import REASON_CODES, ItemKind
from answertrail_pipeline.gold.store import chunk_texts, claims_by_id
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql

FIELDS = (
    "kind", "item_id", "state", "text", "window", "decision", "reason_code", "reason", "new_text", "new_window",
    "text_sha256", "warnings", "claims", "chunks",
)  # fmt: skip
EDITABLE = ("decision", "reason_code", "reason", "new_text", "new_window")
_HEADING = re.compile(r"^## (question|nugget) (\S+) `([0-9a-f]{64})`$")
_FIELD = re.compile(rf"^- ({'|'.join(EDITABLE)}):[ \t]*(.*)$")


@dataclass(frozen=True)
class Refused:
    """One line of an import that does not fit."""

    line: int
    item_id: str
    reason: str


class ImportRefusedError(UserError):
    """An import with lines that do not fit: nothing was changed."""

    def __init__(self, path: Path, refused: Sequence[Refused]) -> None:
        self.refused = tuple(refused)
        lines = "; ".join(f"line {r.line} ({r.item_id}): {r.reason}" for r in refused[:5])
        more = f" and {len(refused) - 5} more" if len(refused) > 5 else ""
        super().__init__(
            f"{path} does not fit in {len(refused)} places: {lines}{more}.", "Mend them; nothing was changed."
        )


def export_proposals(database: Database, channel: str, path: Path, *, everything: bool = False) -> int:
    """Write what waits for a decision to a `.csv` or `.md` file and return how many items that are.

    Args:
        everything: also what is decided already.

    Raises:
        UserError: the file's ending is neither.
    """
    items = _items(database, channel, everything)
    if path.suffix == ".csv":
        path.write_text(_to_csv(items), "utf-8")
    elif path.suffix == ".md":
        path.write_text(_to_markdown(items), "utf-8")
    else:
        raise UserError(f"{path} is neither .csv nor .md.", "Give the file one of these endings.")
    return len(items)


def import_decisions(database: Database, channel: str, path: Path, reviewer: str) -> int:
    """Read decisions back from an exported file and return how many were taken.

    Lines without a decision are passed over. All lines are checked before the first is applied.

    Raises:
        ImportRefusedError: a line names an unknown item, a text that changed since, an unknown decision or reason.
        UserError: the file cannot be read as an export.
    """
    lines = [(number, row) for number, row in _read(path) if row.get("decision", "").strip()]
    refused = [
        Refused(number, row["item_id"], why)
        for number, row in lines
        if (why := _problem(database, channel, row, reviewer))
    ]
    refused += _twice(lines)
    if refused:
        raise ImportRefusedError(path, refused)
    for _, row in lines:
        _apply(database, channel, row, reviewer)
    return len(lines)


def _items(database: Database, channel: str, everything: bool) -> list[dict[str, str]]:
    with database.begin() as connection:
        rows = connection.execute(
            text(read_sql("queries/items_to_decide.sql")), {"channel": channel, "everything": everything}
        ).all()
        claims = {c.claim_id: c for c in claims_by_id(connection, channel, [k for r in rows for k in r.claim_ids])}
        chunks = chunk_texts(connection, channel, [key for row in rows for key in row.chunk_ids])
    return [
        {
            "kind": row.kind,
            "item_id": row.item_id,
            "state": row.state,
            "text": row.text,
            "window": row.window_text or "",
            **dict.fromkeys(EDITABLE, ""),
            "text_sha256": row.text_sha256,
            "warnings": " | ".join(f"{w['gate']}: {w['message']}" for w in row.detail.get("warnings", [])),
            "claims": " | ".join(f"{claims[k].day} {claims[k].text}" for k in row.claim_ids if k in claims),
            "chunks": " | ".join(f"[{key}] {chunks[key]}" for key in row.chunk_ids if key in chunks),
        }
        for row in rows
    ]


def _to_csv(items: Iterable[dict[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _harmless(value) for name, value in item.items()} for item in items)
    return out.getvalue()


def _harmless(value: str) -> str:
    """Keep a spreadsheet from running a caption as a formula."""
    return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t")) else value


def _to_markdown(items: Iterable[dict[str, str]]) -> str:
    codes = "\n".join(f"- `{code}`: {meaning}" for code, meaning in REASON_CODES.items())
    head = (
        "# Proposals to decide on\n\nWrite `keep`, `cut`, `segregate` or `edit` behind `decision:`; a cut needs a"
        f" reason code, an edit the new text. Leave the rest as it is. Reason codes:\n\n{codes}\n"
    )
    return head + "".join(map(_block, items))


def _block(item: dict[str, str]) -> str:
    lines = [f"\n## {item['kind']} {item['item_id']} `{item['text_sha256']}`", "", f"> {item['text']}", ""]
    lines += [
        f"{name}: {item[name]}\n" for name in ("state", "window", "warnings", "claims", "chunks") if item[name]
    ]
    return "\n".join([*lines, *(f"- {name}: {item[name]}" for name in EDITABLE), ""])


def _read(path: Path) -> list[tuple[int, dict[str, str]]]:
    try:
        content = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"Cannot read {path}: {error}.", "Check the path; save the file as UTF-8.") from error
    if path.suffix == ".csv":
        return _from_csv(path, content)
    if path.suffix == ".md":
        return _from_markdown(content)
    raise UserError(f"{path} is neither .csv nor .md.", "Import a file that `answertrail gold export` wrote.")


def _from_csv(path: Path, content: str) -> list[tuple[int, dict[str, str]]]:
    reader = csv.DictReader(io.StringIO(content), strict=True)
    missing = [
        name for name in ("kind", "item_id", "text_sha256", *EDITABLE) if name not in (reader.fieldnames or ())
    ]
    if missing:
        raise UserError(f"{path} has no column {', '.join(missing)}.", "Keep the columns of the export.")
    try:
        return [(reader.line_num, {name: value or "" for name, value in row.items() if name}) for row in reader]
    except csv.Error as error:
        raise UserError(f"{path}, line {reader.line_num}: {error}.", "Mend the quotes of that line.") from error


def _from_markdown(content: str) -> list[tuple[int, dict[str, str]]]:
    found: list[tuple[int, dict[str, str]]] = []
    for number, line in enumerate(content.splitlines(), 1):
        heading, field = _HEADING.match(line), _FIELD.match(line)
        if heading:
            found.append((number, {"kind": heading[1], "item_id": heading[2], "text_sha256": heading[3]}))
        elif field and found:
            found[-1][1][field[1]] = field[2].strip()
    return found


def _problem(database: Database, channel: str, row: dict[str, str], reviewer: str) -> str | None:
    """Return why a line cannot be applied, or None."""
    if row["kind"] not in ("question", "nugget"):
        return f"`{row['kind']}` is neither question nor nugget"
    kind: ItemKind = "question" if row["kind"] == "question" else "nugget"
    try:
        with database.begin() as connection:
            item = read_item(connection, channel, kind, row["item_id"])
        if row["text_sha256"] != item.text_sha256:
            return "its text has changed since the export"
        check_decision(kind, **_without(_arguments(row, reviewer), "reason"))
    except UserError as error:
        return error.problem.rstrip(".")
    return None


def _twice(lines: Sequence[tuple[int, dict[str, str]]]) -> list[Refused]:
    seen: set[tuple[str, str]] = set()
    found = []
    for number, row in lines:
        item = (row["kind"], row["item_id"])
        if item in seen:
            found.append(Refused(number, row["item_id"], "it is decided twice in this file"))
        seen.add(item)
    return found


def _apply(database: Database, channel: str, row: dict[str, str], reviewer: str) -> None:
    """Apply a line; new words beside another decision than `edit` are an edit before it."""
    kind: ItemKind = "question" if row["kind"] == "question" else "nugget"
    given = _arguments(row, reviewer)
    sha = row["text_sha256"]
    if given["new_text"] and given["decision"] != "edit":
        decide(database, channel, kind, row["item_id"], seen_sha256=sha, **{**given, "decision": "edit"})
        given |= {"new_text": None, "new_window": None}
        decide(database, channel, kind, row["item_id"], **given)
    else:
        decide(database, channel, kind, row["item_id"], seen_sha256=sha, **given)


def _without(arguments: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in arguments.items() if key != name}


def _arguments(row: dict[str, str], reviewer: str) -> dict[str, Any]:
    given = {name: row.get(name, "").strip() or None for name in EDITABLE}
    return {"reviewer": reviewer, **given}
