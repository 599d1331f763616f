"""A CSV of videos with the paths of their captions."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from answertrail_pipeline.corpus.csv_rows import csv_rows, inside
from answertrail_pipeline.corpus.files import file_hash, read_bytes, relative
from answertrail_pipeline.corpus.formats.read import read_captions
from answertrail_pipeline.corpus.formats.reading import Reading
from answertrail_pipeline.corpus.listing import Listed, Listing, Material, Problem, Track

COLUMNS = ("video_id", "title", "published_at", "captions")


def list_csv(path: Path) -> Listing:
    """List the videos of a CSV with the columns `video_id, title, published_at, captions[, language, url]`.

    `captions` is a path below the CSV's folder, several separated by `;`. A video may have one row a language.

    Raises:
        UserError: the CSV cannot be read or lacks a column.
    """
    problems: list[Problem] = []
    rows: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for row in csv_rows(path, COLUMNS, problems):
        video_id = row["video_id"]
        where = f"{path.name}:{row['line']}"
        if not video_id:
            problems.append(Problem("bad_record", where, "The row has no `video_id`."))
        elif any(other.get("language") == row.get("language") for other in rows[video_id]):
            message = (
                f"`{video_id}` is there already in the same language. The first row is used; remove the other."
            )
            problems.append(Problem("duplicate_id", where, message, video_id))
        else:
            rows[video_id].append(row)
    videos = [_listed(path.parent, video_id, group, problems) for video_id, group in sorted(rows.items())]
    return Listing(tuple(videos), tuple(problems))


def _listed(folder: Path, video_id: str, rows: Sequence[Mapping[str, str]], problems: list[Problem]) -> Listed:
    files = [
        (found, row.get("language") or None)
        for row in rows
        for name in row["captions"].split(";")
        if name.strip() and (found := inside(folder, name.strip(), row["line"], problems))
    ]
    return Listed(video_id, _hash(folder, rows, files), partial(_load, folder, rows, files))


def _hash(folder: Path, rows: Sequence[Mapping[str, str]], files: Sequence[tuple[Path, str | None]]) -> str:
    digest = hashlib.sha256()
    for row in rows:
        digest.update(repr(sorted(item for item in row.items() if item[0] != "line")).encode())
    for path, _ in files:
        digest.update(f"{relative(path, folder)}\0{file_hash(path)}\n".encode())
    return digest.hexdigest()


def _load(folder: Path, rows: Sequence[Mapping[str, str]], files: Sequence[tuple[Path, str | None]]) -> Material:
    tracks = []
    for path, language in files:
        name = relative(path, folder)
        tracks.append(Track(name, language, None, partial(_read, path, name)))
    record = {key: value for key, value in rows[0].items() if value}
    return Material(record, f"line {rows[0]['line']}", tracks, source_hash=_hash(folder, rows, files))


def _read(path: Path, name: str) -> Reading:
    return read_captions(read_bytes(path, name))
