"""Gold as files: our own format both ways, and the question lists of others read in, to start at the runs."""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import ValidationError

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import HEADLINE_KIND, GoldNugget, GoldQuestion, GoldVersion, NuggetKind
from answertrail_pipeline.gold.versions import check_gold, content_hash, store_version
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.time_windows import parse_window

FORMAT = "answertrail-gold/1"


@dataclass(frozen=True)
class ImportedGold:
    """A version that came from a file.

    Attributes:
        partial: nuggets (`question_id/nugget_id`) whose file says `partial_support`, which counts as a MISS here.
    """

    gold: GoldVersion
    partial: tuple[str, ...] = ()


def export_gold(gold: GoldVersion, path: Path) -> None:
    """Write a version to a file that can be committed and imported elsewhere: the same bytes each time."""
    content = {"format": FORMAT, "content_sha256": content_hash(gold), "gold": gold.model_dump(mode="json")}
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True) + "\n", "utf-8")


def import_gold(
    database: Database, channel: str, path: Path, name: str | None = None, as_of: date | None = None
) -> ImportedGold:
    """Freeze the gold of a file for a channel.

    `.json` is our own format; `.jsonl` that of castorini/nuggetizer (one question a line: `qid`, `query`,
    `nuggets` with `text`, `importance`, `assignment`); `.csv` has the columns `question`, `nugget`, and where
    wanted `question_id`, `tier`, `kind`, `window`, one nugget a row.

    Args:
        name: the version's name; that of our own file, else the next number where None.
        as_of: up to which day the gold holds; today's newest for files that do not say is refused, so give it.

    Raises:
        UserError: the file cannot be read, does not fit its format, was changed by hand, or cannot be scored.
    """
    raw = _read(path)
    if path.suffix == ".json":
        gold = _own(path, raw)
        name = name or gold.gold_version
        partial: list[str] = []
    elif path.suffix in (".jsonl", ".csv"):
        if as_of is None:
            raise UserError(f"{path} does not say up to which day it holds.", "Give it with --as-of YYYY-MM-DD.")
        questions, partial = _nuggetizer(path, raw) if path.suffix == ".jsonl" else (_plain(path, raw), [])
        gold = GoldVersion(
            channel=channel,
            gold_version="",
            as_of=as_of,
            corpus_id=None,
            policy="people",
            reviewers=(f"file {path.name}",),
            questions=tuple(questions),
        )
    else:
        raise UserError(f"{path} is no gold file.", "Import .json (our own), .jsonl (nuggetizer) or .csv.")
    gold = gold.model_copy(update={"channel": channel})
    check_gold(channel, gold.questions)
    with database.begin() as connection:
        return ImportedGold(store_version(connection, gold, name), tuple(partial))


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"Cannot read {path}: {error}.", "Check the path; save the file as UTF-8.") from error


def _own(path: Path, raw: str) -> GoldVersion:
    try:
        content = json.loads(raw)
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise UserError(f"{path} is not of the format {FORMAT}.", "Export it with `answertrail gold export`.")
        gold = GoldVersion.model_validate(content["gold"])
    except (json.JSONDecodeError, ValidationError, KeyError) as error:
        raise UserError(f"{path} is no gold version: {error}.", "Export it again.") from error
    if content.get("content_sha256") != content_hash(gold):
        raise UserError(
            f"{path} was changed since it was exported.", "Decide in the workbench and freeze a new version."
        )
    return gold


def _nuggetizer(path: Path, raw: str) -> tuple[list[GoldQuestion], list[str]]:
    questions: list[GoldQuestion] = []
    problems: list[str] = []
    for number, line in enumerate(raw.splitlines(), 1):
        if not line.strip():
            continue
        try:
            questions.append(_of_nuggetizer(path, json.loads(line)))
        except json.JSONDecodeError as error:
            problems.append(f"line {number}: it is no JSON ({error.msg}).")
        except KeyError as error:
            problems.append(f"line {number}: {error} is missing.")
        except (AttributeError, TypeError):
            problems.append(f"line {number}: it is no object with qid, query and a list of nuggets.")
    _refuse(path, problems)
    partial = [
        f"{question.question_id}/{nugget.nugget_id}"
        for question in questions
        for nugget in question.nuggets
        if nugget.detail.get("assignment") == "partial_support"
    ]
    return questions, partial


def _refuse(path: Path, problems: Iterable[str]) -> None:
    if found := list(problems):
        raise UserError(f"{path} was not imported. {' '.join(found)}", "Mend those lines; nothing was changed.")


def _of_nuggetizer(path: Path, row: dict[str, Any]) -> GoldQuestion:
    nuggets = [_scored(nugget, i) for i, nugget in enumerate(row["nuggets"], 1)]
    return _question(str(row["qid"]), "factual", str(row["query"]), nuggets, f"file {path.name}")


def _scored(nugget: dict[str, Any], number: int) -> GoldNugget:
    kept = {key: nugget[key] for key in ("importance", "assignment") if key in nugget}
    return GoldNugget(
        nugget_id=f"n{number}", kind="fact", text=str(nugget["text"]), written_by="nuggetizer", detail=kept
    )


def _plain(path: Path, raw: str) -> list[GoldQuestion]:
    reader = csv.DictReader(io.StringIO(raw))
    missing = [name for name in ("question", "nugget") if name not in (reader.fieldnames or ())]
    if missing:
        raise UserError(f"{path} has no column {', '.join(missing)}.", "It needs `question` and `nugget`.")
    grouped: dict[str, list[dict[str, str]]] = {}
    for row in reader:
        given = {key: (value or "").strip() for key, value in row.items() if key}
        given["line"] = str(reader.line_num)
        grouped.setdefault(given.get("question_id") or given["question"], []).append(given)
    _refuse(
        path,
        (
            f"line {row['line']}: {problem}"
            for rows in grouped.values()
            for row in rows
            if (problem := _problem(row))
        ),
    )
    return [
        _of_rows(path, rows[0].get("question_id") or f"q{number:03d}", rows)
        for number, rows in enumerate(grouped.values(), 1)
    ]


def _problem(row: dict[str, str]) -> str | None:
    """Return why a row of a CSV cannot be read."""
    if not row["question"]:
        return "it has no question."
    tier, kind = row.get("tier") or "factual", row.get("kind")
    if tier not in HEADLINE_KIND:
        return f"`{tier}` is no tier; use one of: {', '.join(HEADLINE_KIND)}."
    if kind and kind not in get_args(NuggetKind):
        return f"`{kind}` is no kind; use one of: {', '.join(get_args(NuggetKind))}."
    try:
        if row.get("window"):
            parse_window(row["window"])
    except UserError as error:
        return error.problem
    return None


def _of_rows(path: Path, question_id: str, rows: list[dict[str, str]]) -> GoldQuestion:
    tier = rows[0].get("tier") or "factual"
    nuggets = [_written(path, tier, row, i) for i, row in enumerate((r for r in rows if r["nugget"]), 1)]
    return _question(question_id, tier, rows[0]["question"], nuggets, f"file {path.name}")


def _written(path: Path, tier: str, row: dict[str, str], number: int) -> GoldNugget:
    window = parse_window(row["window"]) if row.get("window") else None
    return GoldNugget.model_validate(
        {
            "nugget_id": f"n{number}",
            "kind": row.get("kind") or HEADLINE_KIND[tier],
            "text": row["nugget"],
            "window_text": row.get("window") or None,
            "window_from": window.start if window else None,
            "window_to": window.end if window else None,
            "written_by": f"file {path.name}",
        }
    )


def _question(
    question_id: str, tier: str, words: str, nuggets: Iterable[GoldNugget], written_by: str
) -> GoldQuestion:
    state: Literal["kept", "segregated"] = "kept"
    return GoldQuestion.model_validate(
        {
            "question_id": question_id,
            "tier": tier,
            "text": words,
            "state": state,
            "nuggets": tuple(nuggets),
            "written_by": written_by,
        }
    )
