"""Rows of a CSV that a person wrote, in any encoding and with any of the usual separators."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from answertrail_pipeline.corpus.formats.decode import decode
from answertrail_pipeline.corpus.listing import Problem
from answertrail_pipeline.errors import UserError

_SEPARATORS = ",;\t|"


def csv_rows(path: Path, required: Sequence[str], problems: list[Problem]) -> list[dict[str, str]]:
    """Return the rows by column name, each with its number as `line`.

    Raises:
        UserError: the file cannot be read, or lacks a required column.
    """
    try:
        text = decode(path.read_bytes()).text
    except OSError as error:
        raise UserError(
            f"{path} cannot be read: {error.strerror}.", "Mend `path` of the channel's source."
        ) from error
    first = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows = []
    try:
        columns = [name.strip().lower() for name in reader.fieldnames or ()]
        reader.fieldnames = columns
        missing = [name for name in required if name not in columns]
        if missing:
            raise UserError(
                f"{path} has no column {', '.join(missing)}; it has {', '.join(columns) or 'none'}.",
                f"Write a first line with {', '.join(required)}.",
            )
        for row in reader:
            if None in row or None in row.values():
                problems.append(
                    Problem(
                        "bad_record", f"{path.name}:{reader.line_num}", "Not as many fields as the first line has."
                    )
                )
                continue
            rows.append({**{key: value.strip() for key, value in row.items()}, "line": str(reader.line_num)})
    except csv.Error as error:
        raise UserError(f"{path}, line {reader.line_num}: {error}.", "Mend that line.") from error
    return rows


def inside(folder: Path, name: str, line: str, problems: list[Problem]) -> Path | None:
    """Return the file that a row names, or None with a problem where it is missing or outside of the folder."""
    path = folder / name
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        problems.append(Problem("no_file", name, f"Line {line} names a file that is not there."))
        return None
    if not target.is_relative_to(folder.resolve()):
        problems.append(Problem("link_outside", name, f"Line {line} names a file outside of {folder}; refused."))
        return None
    if not target.is_file():
        problems.append(Problem("no_file", name, f"Line {line} names no file."))
        return None
    return path
