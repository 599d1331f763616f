"""A `videos.jsonl` beside cue JSONL files, plain or gzip: many videos in one file, each hashed apart."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

from answertrail_pipeline.corpus.files import check_folder, relative, walk
from answertrail_pipeline.corpus.formats.clean import storable
from answertrail_pipeline.corpus.formats.cue_jsonl import add_cue_line
from answertrail_pipeline.corpus.formats.read import finish
from answertrail_pipeline.corpus.formats.reading import CaptionError, Loss, Parsed, Reading
from answertrail_pipeline.corpus.listing import Listed, Listing, Material, Problem, Track
from answertrail_pipeline.corpus.seekable import SeekableLines
from answertrail_pipeline.corpus.tracks import language_tag
from answertrail_pipeline.errors import UserError

VIDEOS = "videos.jsonl"


@dataclass
class _Cues:
    """Where one video's lines lie in one cue file, their hash, and why they break off, if they do."""

    spans: list[tuple[int, int]] = field(default_factory=list)
    digest: Any = field(default_factory=hashlib.sha256)
    cut_off: str | None = None


def list_jsonl(folder: Path, corpus: str | None) -> Listing:
    """List the videos of a `videos.jsonl`, with the cues that its caption files hold for each.

    Args:
        folder: holds `videos.jsonl`, and the cue files that its field `captions_file` names (all
            `*.jsonl` and `*.jsonl.gz` in `captions/` where no record names one).
        corpus: keep only the records whose field `corpus` says this.

    Raises:
        UserError: the folder or `videos.jsonl` cannot be read, or no record is left.
    """
    check_folder(folder)
    problems: list[Problem] = []
    records = _records(folder, corpus, problems)
    files = _cue_files(folder, records, problems)
    cues: dict[str, dict[str, _Cues]] = defaultdict(dict)
    sources: dict[str, SeekableLines] = {}
    for name, path in files.items():
        sources[name] = SeekableLines(path)
        for video_id, found in _scan(name, sources[name], problems).items():
            if video_id in records:
                cues[video_id][name] = found
    videos = [
        Listed(
            video_id,
            _hash(raw, {name: found.digest.hexdigest() for name, found in cues[video_id].items()}),
            partial(_load, raw, cues[video_id], sources),
        )
        for video_id, raw in sorted(records.items())
    ]
    return Listing(tuple(videos), tuple(problems))


def _records(folder: Path, corpus: str | None, problems: list[Problem]) -> dict[str, bytes]:
    """Return each video's line of `videos.jsonl`."""
    path = folder / VIDEOS
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.", "Write one video a line there.") from error
    records: dict[str, bytes] = {}
    corpora = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        record = _parse(line)
        video_id = record.get("video_id", record.get("id")) if record else None
        if record is None or not isinstance(video_id, str) or not video_id:
            problems.append(Problem("bad_record", f"{VIDEOS}:{number}", "No JSON object with a `video_id`."))
            continue
        corpora.add(str(record.get("corpus")))
        if corpus is not None and record.get("corpus") != corpus:
            continue
        if video_id in records:
            problems.append(
                Problem(
                    "duplicate_id",
                    f"{VIDEOS}:{number}",
                    f"`{video_id}` is there already. The first record is used; remove the other.",
                    video_id,
                )
            )
            continue
        records[video_id] = line
    if corpus is not None and not records and corpora:
        raise UserError(
            f"No video of {path} has `corpus` = {corpus!r}.", f"It holds: {', '.join(sorted(corpora))}."
        )
    return records


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _cue_files(folder: Path, records: Mapping[str, bytes], problems: list[Problem]) -> dict[str, Path]:
    named = {(_parse(raw) or {}).get("captions_file") for raw in records.values()}
    wanted = {name for name in named if isinstance(name, str) and name}
    found = {
        relative(path, folder): path
        for path in walk(folder, problems)
        if path.name.endswith((".jsonl", ".jsonl.gz")) and path != folder / VIDEOS
    }
    if not wanted:
        return {name: path for name, path in found.items() if name.startswith("captions/")}
    for name in sorted(wanted - found.keys()):
        problems.append(Problem("no_file", name, f"{VIDEOS} names it as `captions_file`, but it is not there."))
    return {name: path for name, path in found.items() if name in wanted}


def _scan(name: str, source: SeekableLines, problems: list[Problem]) -> dict[str, _Cues]:
    """Find each video's lines in a cue file, reading it once as a stream."""
    videos: dict[str, _Cues] = {}
    current: _Cues | None = None
    prefix = b"\0"
    offset = 0
    for number, line in enumerate(source.lines(), 1):
        begin, offset = offset, offset + len(line)
        if not line.startswith(prefix):
            if line.isspace():
                continue
            record = _parse(line)
            video_id = record.get("video_id") if record else None
            if not isinstance(video_id, str):
                problems.append(Problem("bad_record", f"{name}:{number}", "No JSON object with a `video_id`."))
                current, prefix = None, b"\0"
                continue
            current = videos.setdefault(video_id, _Cues())
            prefix = _prefix(line, video_id)
        if current:
            current.digest.update(line)
            if current.spans and current.spans[-1][1] == begin:
                current.spans[-1] = (current.spans[-1][0], offset)
            else:
                current.spans.append((begin, offset))
    if source.broken:
        problems.append(Problem("cut_off", name, f"The file breaks off after {offset} bytes: {source.broken}."))
        if current:
            current.cut_off = source.broken
    return videos


def _prefix(line: bytes, video_id: str) -> bytes:
    """Return a line's start up to the id's closing quote: its neighbours are known by it without parsing."""
    for spelled in (b'{"video_id": ', b'{"video_id":'):
        prefix = spelled + json.dumps(video_id).encode()
        if line.startswith(prefix):
            return prefix
    return b"\0"


def _hash(raw: bytes, cues: Mapping[str, str]) -> str:
    digest = hashlib.sha256(raw.strip())
    for name, sha in sorted(cues.items()):
        digest.update(f"\n{name}\0{sha}".encode())
    return digest.hexdigest()


def _load(raw: bytes, cues: Mapping[str, _Cues], sources: Mapping[str, SeekableLines]) -> Material:
    record = cast(dict[str, Any], _parse(raw))
    tracks: list[Track] = []
    digests = {}
    for name, found in sorted(cues.items()):
        try:
            lines = sources[name].read(found.spans)
        except CaptionError as error:
            digests[name] = found.digest.hexdigest()
            tracks.append(Track(name, None, None, partial(_raise, error)))
            continue
        digests[name] = hashlib.sha256(lines).hexdigest()
        tracks += _tracks(name, lines, record, found.cut_off)
    return Material(record, VIDEOS, tracks, source_hash=_hash(raw, digests))


def _raise(error: CaptionError) -> Reading:
    raise error


def _tracks(name: str, lines: bytes, record: Mapping[str, Any], cut_off: str | None) -> Iterator[Track]:
    """Yield one track for each language and track id that the lines name."""
    by_track: dict[tuple[str, str], list[bytes]] = defaultdict(list)
    for line in lines.split(b"\n"):
        if not line.strip():
            continue
        key = ("", "")
        if b'"language"' in line or b'"track"' in line:
            item = _parse(line) or {}
            track = item.get("track")
            key = (language_tag(item.get("language")) or "", storable(track) if isinstance(track, str) else "")
        by_track[key].append(line)
    own = language_tag(record.get("language"))
    for (language, track), group in sorted(by_track.items()):
        parts = (name, str(record.get("video_id", record.get("id"))), language, track)
        label = "#".join(part for part in parts if part)
        yield Track(label, language or own, _automatic(record), _reader(group, cut_off))


def _automatic(record: Mapping[str, Any]) -> bool | None:
    kind = record.get("caption_kind")
    return "ASR" in kind or "automatic" in kind.lower() if isinstance(kind, str) else None


def _reader(lines: list[bytes], cut_off: str | None) -> Callable[[], Reading]:
    def read() -> Reading:
        parsed = Parsed()
        for number, line in enumerate(lines, 1):
            add_cue_line(parsed, line, f"the video's line {number}")
        if cut_off:
            parsed.cut_off = Loss("cut_off", f"the video's line {len(lines)}", cut_off, cues=0)
        return finish(parsed, "cue_jsonl")

    return read
