"""One video's material to a dated video with chunks, or to the reasons why not. No database, no files."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from answertrail_pipeline.corpus.chunking import ChunkRules, chunk_cues
from answertrail_pipeline.corpus.cues import content_sha256
from answertrail_pipeline.corpus.dates import Published, published
from answertrail_pipeline.corpus.document_chunks import chunk_document
from answertrail_pipeline.corpus.formats.clean import storable
from answertrail_pipeline.corpus.formats.json_values import as_seconds
from answertrail_pipeline.corpus.formats.reading import CaptionError, Reading, shown
from answertrail_pipeline.corpus.invented import mark_invented
from answertrail_pipeline.corpus.listing import Material
from answertrail_pipeline.corpus.tracks import TrackReading, choose, language_tag, read_track
from answertrail_pipeline.corpus.types import Chunk, Cue, Video
from answertrail_pipeline.settings import ChannelSettings

NO_DATE = "No field says when it was published; a date is never guessed."


@dataclass(frozen=True)
class Quarantined:
    """A file that could not be read fully, or a video without a date."""

    file: str
    code: str
    message: str
    cues_kept: int = 0
    cues_lost: int = 0


@dataclass(frozen=True)
class CaptionFile:
    """What reading one caption file or track brought."""

    file: str
    language: str | None
    automatic: bool
    format: str | None
    encoding: str | None
    encoding_guessed: bool
    content_sha256: str | None
    cues_kept: int
    cues_lost: int
    losses: Sequence[str]
    used: bool


@dataclass(frozen=True)
class Built:
    """What one video's material came to.

    Attributes:
        video: None where the video is blocked.
        content_sha256: of the normalized cues of the track that is used.
        words_in: white-space separated words of the cues that were used.
        words_kept: whether every character of every cue is in exactly one chunk.
        blocked: why no chunks could be made, or None.
    """

    files: Sequence[CaptionFile]
    quarantine: Sequence[Quarantined]
    video: Video | None = None
    content_sha256: str = ""
    chunks: Sequence[Chunk] = ()
    date_conflict: str | None = None
    words_in: int = 0
    words_kept: bool = True
    title_as_found: str = ""
    blocked: str | None = None


def build(video_id: str, material: Material, settings: ChannelSettings) -> Built:
    """Read a video's captions, choose its track, date it and cut it into chunks."""
    if material.document is not None:
        return _document(video_id, material, material.document, settings)
    readings = [read_track(track) for track in material.tracks]
    original = language_tag(material.record.get("language"))
    chosen, why = choose(readings, settings.language, original, settings.max_lost_share)
    quarantine = [row for reading in readings if (row := _quarantined(reading))]
    if not readings:
        quarantine.append(Quarantined(material.record_name, "no_captions", "The video has no caption file."))
    when = published(material.record)
    if when is None:
        kept = len(chosen.reading.cues) if chosen and chosen.reading else 0
        quarantine.append(Quarantined(material.record_name, "no_date", NO_DATE, kept))
    files = [_caption_file(reading, reading is chosen and when is not None) for reading in readings]
    if chosen is None or chosen.reading is None or when is None:
        return Built(files, quarantine, blocked=_reason(quarantine, why))
    video = _video(video_id, material.record, when, chosen, chosen.reading, why, settings)
    cues = chosen.reading.cues
    rules = ChunkRules(settings.window_seconds, settings.long_cue_seconds, video.language)
    chunks = chunk_cues(video_id, cues, mark_invented(cues), rules)
    return Built(
        files,
        quarantine,
        video,
        chosen.reading.content_sha256,
        chunks,
        when.conflict,
        sum(len(cue.text.split()) for cue in cues),
        _characters(cues) == _characters(chunks),
        str(material.record.get("title") or ""),
    )


def _document(
    doc_id: str, material: Material, paragraphs: Sequence[str] | CaptionError, settings: ChannelSettings
) -> Built:
    name = material.record_name
    when = published(material.record)
    quarantine = []
    if isinstance(paragraphs, CaptionError):
        quarantine.append(Quarantined(name, paragraphs.code, paragraphs.message))
    elif when is None:
        quarantine.append(Quarantined(name, "no_date", NO_DATE, len(paragraphs)))
    if isinstance(paragraphs, CaptionError) or when is None:
        return Built((), quarantine, blocked=_reason(quarantine, ""))
    language = language_tag(material.record.get("language")) or settings.language
    video = Video(
        video_id=doc_id,
        title=plain_title(material.record.get("title")) or doc_id,
        published_at=when.at,
        published_precision=when.precision,
        published_source=when.source,
        language=language,
        kind="document",
        url=_url(material.record),
        track={"file": name, "why": "the document itself"},
    )
    chunks = chunk_document(
        doc_id, paragraphs, settings.document_window_words, settings.document_window_characters, language
    )
    whole = [Cue(0.0, 0.0, paragraph) for paragraph in paragraphs]
    return Built(
        (),
        (),
        video,
        content_sha256(whole),
        chunks,
        when.conflict,
        sum(len(paragraph.split()) for paragraph in paragraphs),
        _characters(whole) == _characters(chunks),
        str(material.record.get("title") or ""),
    )


def _reason(quarantine: Sequence[Quarantined], why: str) -> str:
    return "; ".join(f"{row.file}: {row.code}" for row in quarantine) or why


def _characters(pieces: Sequence[Cue] | Sequence[Chunk]) -> str:
    """Return the hash of all characters but white space, in order."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update("".join(piece.text.split()).encode())
    return digest.hexdigest()


def _quarantined(track: TrackReading) -> Quarantined | None:
    if track.error:
        error = track.error
        return Quarantined(track.track.name, error.code, error.message, error.kept, error.lost)
    reading = track.reading
    if reading and reading.losses:
        code = "cues_lost" if reading.lost else reading.losses[0].code
        return Quarantined(track.track.name, code, shown(reading.losses), len(reading.cues), reading.lost)
    return None


def _caption_file(track: TrackReading, used: bool) -> CaptionFile:
    reading: Reading | None = track.reading
    if reading is None:
        kept, lost = (track.error.kept, track.error.lost) if track.error else (0, 0)
        why = [str(track.error)] if track.error else []
        return CaptionFile(
            track.track.name, track.language, track.automatic, None, None, False, None, kept, lost, why, used
        )
    return CaptionFile(
        track.track.name,
        track.language,
        track.automatic,
        reading.format,
        reading.encoding,
        reading.encoding_guessed,
        reading.content_sha256,
        len(reading.cues),
        reading.lost,
        [str(loss) for loss in reading.losses[:20]],
        used,
    )


def _video(
    video_id: str,
    record: Mapping[str, Any],
    when: Published,
    chosen: TrackReading,
    reading: Reading,
    why: str,
    settings: ChannelSettings,
) -> Video:
    return Video(
        video_id=video_id,
        title=plain_title(record.get("title")) or video_id,
        published_at=when.at,
        published_precision=when.precision,
        published_source=when.source,
        language=chosen.language or settings.language,
        url=_url(record),
        duration_seconds=as_seconds(record.get("duration", record.get("duration_s"))),
        track={
            "file": chosen.track.name,
            "format": reading.format,
            "language": chosen.language or "",
            "kind": "automatic" if chosen.automatic else "manual",
            "why": why,
        },
    )


def plain_title(title: object) -> str:
    """Return a title as one line of text; markup in it stays text, and is escaped where it is shown."""
    return " ".join(storable(title).split()) if isinstance(title, str) else ""


def _url(record: Mapping[str, Any]) -> str | None:
    for name in ("webpage_url", "url"):
        url = record.get(name)
        if isinstance(url, str) and url.startswith(("https://", "http://")) and not any(map(str.isspace, url)):
            return storable(url)
    return None


def output_hash(built: Built) -> str:
    """Return the hash of all that later steps use of a video: ids, texts, date, title. Times within a chunk and
    metadata that nobody searches are not in it, so a cosmetic change stops here."""
    digest = hashlib.sha256()
    if built.video:
        video = built.video
        digest.update(
            json.dumps([video.published_at.isoformat(), video.title, video.language, video.kind]).encode()
        )
    for chunk in built.chunks:
        row = [chunk.chunk_id, chunk.text, chunk.spoken_text, chunk.invented]
        digest.update(json.dumps(row).encode())
    return digest.hexdigest()
