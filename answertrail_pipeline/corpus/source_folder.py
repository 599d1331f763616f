"""A folder of caption files and metadata, as yt-dlp writes them."""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from answertrail_pipeline.corpus.files import check_folder, file_hash, read_bytes, relative, walk
from answertrail_pipeline.corpus.formats.read import read_captions
from answertrail_pipeline.corpus.formats.reading import Reading
from answertrail_pipeline.corpus.listing import Listed, Listing, Material, Problem, Track
from answertrail_pipeline.corpus.tracks import LIVE_CHAT, language_tag

INFO = ".info.json"
# Looked into; what a file is, its content says. Anything else below the folder is no caption file.
EXTENSIONS = {
    ".vtt", ".srt", ".sbv", ".sub", ".json3", ".srv1", ".srv2", ".srv3", ".ttml", ".dfxp", ".tt", ".xml", ".json",
    ".jsonl", ".txt",
}  # fmt: skip
_UNCITABLE = str.maketrans("[]\n", "()-")  # a citation is `[chunk_id]`
_FIRST_ID = re.compile(rb'\s*\{\s*"id"\s*:\s*"([A-Za-z0-9_-]+)"')
_IN_BRACKETS = re.compile(r".*\[([^\[\]\s]+)\]\Z", re.DOTALL)
_MEDIA = (".webm", ".mp4", ".mkv", ".m4a", ".mp3", ".opus")


@dataclass
class _Found:
    """The files of one video."""

    infos: list[Path] = field(default_factory=list)
    captions: list[tuple[Path, str | None]] = field(default_factory=list)


def list_folder(folder: Path) -> Listing:
    """List the videos of a folder: `ID.info.json`, `ID.LANG.vtt`, `Title [ID].LANG.srt` and the like.

    Raises:
        UserError: the folder cannot be read.
    """
    check_folder(folder)
    problems: list[Problem] = []
    infos: dict[str, Path] = {}
    captions: list[Path] = []
    ignored = 0
    for path in walk(folder, problems):
        if path.name.endswith(INFO):
            infos[str(path)[: -len(INFO)]] = path
        elif path.suffix.lower() in EXTENSIONS and not _is_chat(path):
            captions.append(path)
        else:
            ignored += 1
    if ignored:
        problems.append(
            Problem("ignored_files", ".", f"{ignored} files are neither captions nor metadata.", warning=False)
        )
    videos = _group(folder, infos, captions, problems)
    return Listing(tuple(_listed(folder, *item) for item in sorted(videos.items())), tuple(problems))


def _is_chat(path: Path) -> bool:
    return any(f".{chat}." in path.name for chat in LIVE_CHAT)


def _group(
    folder: Path, infos: Mapping[str, Path], captions: Iterable[Path], problems: list[Problem]
) -> dict[str, _Found]:
    videos: dict[str, _Found] = defaultdict(_Found)
    id_of_stem: dict[str, str] = {}
    for stem, path in infos.items():
        video_id = _id_in_info(path) or _id_in_stem(Path(stem).name)
        id_of_stem[stem] = video_id
        videos[video_id].infos.append(path)
    known = set(videos)
    for path in captions:
        stem, language = _split_name(path)
        video_id = id_of_stem.get(str(path.parent / stem)) or _id_in_stem(stem, known)
        videos[video_id].captions.append((path, language))
    for video_id, found in videos.items():
        if len(found.infos) > 1:
            names = ", ".join(relative(path, folder) for path in found.infos)
            problems.append(
                Problem(
                    "duplicate_id",
                    relative(found.infos[1], folder),
                    f"Several records say that they are `{video_id}`: {names}. The first is used; remove others.",
                    video_id,
                )
            )
    return videos


def _split_name(path: Path) -> tuple[str, str | None]:
    """Return a caption file's stem without its language, and the language.

    >>> _split_name(Path("A talk [abc].en-GB.vtt"))
    ('A talk [abc]', 'en-GB')
    """
    stem = path.name[: -len(path.suffix)]
    head, dot, last = stem.rpartition(".")
    language = None
    if dot and head and language_tag(last) and f".{last.lower()}" not in _MEDIA:
        stem, language = head, last
    for media in _MEDIA:
        stem = stem.removesuffix(media)
    return stem, language


def _id_in_stem(stem: str, known: Iterable[str] = ()) -> str:
    bracketed = _IN_BRACKETS.match(stem)
    if bracketed:
        return bracketed[1]
    # youtube-dl wrote `Title-ID`; eleven letters after a dash may be a word, so the id must be known
    if len(stem) > 12 and stem[-12] == "-" and stem[-11:] in known:
        return stem[-11:]
    return stem.translate(_UNCITABLE)


def _id_in_info(path: Path) -> str | None:
    """Return the id that a record says; yt-dlp writes it first, so most of a large file need not be parsed."""
    try:
        with path.open("rb") as file:
            first = _FIRST_ID.match(file.read(512))
    except OSError:
        return None
    if first:
        return first[1].decode()
    record = _read_info(path)
    found = record.get("id") if record else None
    return found if isinstance(found, str) and found else None


def _read_info(path: Path) -> dict[str, Any] | None:
    try:
        record = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _listed(folder: Path, video_id: str, found: _Found) -> Listed:
    paths = found.infos[:1] + sorted(path for path, _ in found.captions)
    return Listed(video_id, _hash(folder, paths), partial(_load, folder, found))


def _hash(folder: Path, paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"{relative(path, folder)}\0{file_hash(path)}\n".encode())
    return digest.hexdigest()


def _load(folder: Path, found: _Found) -> Material:
    record: Mapping[str, Any] = {}
    first = found.infos[0] if found.infos else found.captions[0][0]
    if found.infos:
        record = _read_info(found.infos[0]) or {}
    tracks = [
        Track(
            relative(path, folder), language, _automatic(record, language), _reader(path, relative(path, folder))
        )
        for path, language in sorted(found.captions)
    ]
    paths = found.infos[:1] + sorted(path for path, _ in found.captions)
    return Material(record, relative(first, folder), tracks, source_hash=_hash(folder, paths))


def _reader(path: Path, name: str) -> Callable[[], Reading]:
    return lambda: read_captions(read_bytes(path, name))


def _automatic(record: Mapping[str, Any], language: str | None) -> bool | None:
    """Whether a record's lists of manual and automatic tracks say that a language is automatic."""
    if language is None:
        return None
    if language in _keys(record.get("subtitles")):
        return False
    return True if language in _keys(record.get("automatic_captions")) else None


def _keys(value: object) -> set[str]:
    return set(value) if isinstance(value, Mapping) else set()
