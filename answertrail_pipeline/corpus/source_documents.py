"""Dated documents of another kind: a folder of Markdown, HTML and text files, or a CSV that lists them."""

import hashlib
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from answertrail_pipeline.corpus.csv_rows import csv_rows, inside
from answertrail_pipeline.corpus.documents import read_document
from answertrail_pipeline.corpus.files import check_folder, file_hash, read_bytes, relative, walk
from answertrail_pipeline.corpus.formats.reading import CaptionError
from answertrail_pipeline.corpus.listing import Listed, Listing, Material, Problem

EXTENSIONS = {".md", ".markdown", ".html", ".htm", ".xhtml", ".txt", ".text"}
_UNSAFE = re.compile(r"[^\w./~+@-]+")


def list_documents(path: Path) -> Listing:
    """List the documents of a folder (dated in their front matter), or of a CSV (`id, title, published_at, file`).

    Raises:
        UserError: the folder or the CSV cannot be read.
    """
    problems: list[Problem] = []
    if path.suffix.lower() == ".csv":
        folder = path.parent
        rows = csv_rows(path, ("published_at", "file"), problems)
        found = [(row, target) for row in rows if (target := inside(folder, row["file"], row["line"], problems))]
    else:
        folder = path
        check_folder(folder)
        found = [({}, file) for file in walk(folder, problems) if file.suffix.lower() in EXTENSIONS]
    videos: dict[str, Listed] = {}
    for row, file in found:
        name = relative(file, folder)
        doc_id = row.get("id") or row.get("video_id") or document_id(name)
        if doc_id in videos:
            message = f"`{doc_id}` is there already. The first is used; rename or remove the other."
            problems.append(Problem("duplicate_id", name, message, doc_id))
        else:
            videos[doc_id] = Listed(doc_id, _hash(file, row), partial(_load, file, name, row))
    return Listing(tuple(videos[doc_id] for doc_id in sorted(videos)), tuple(problems))


def document_id(name: str) -> str:
    """Return the id of a document by its file: the path without its ending, and nothing that breaks a citation.

    >>> document_id("posts/A first [draft].md")
    'posts/A-first-draft'
    """
    return _UNSAFE.sub("-", name.rpartition(".")[0] or name).strip("-")


def _hash(file: Path, row: Mapping[str, Any]) -> str:
    return hashlib.sha256(f"{sorted(row.items())}\0{file_hash(file)}".encode()).hexdigest()


def _load(file: Path, name: str, row: Mapping[str, Any]) -> Material:
    source_hash = _hash(file, row)
    said = {key: value for key, value in row.items() if value not in (None, "")}
    try:
        document = read_document(read_bytes(file, name), file.suffix)
    except CaptionError as error:
        return Material(said, name, document=error, source_hash=source_hash)
    return Material({**document.record, **said}, name, document=document.paragraphs, source_hash=source_hash)
