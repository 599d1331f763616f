"""What a source offers now: videos, each with the hash of all that it is read from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from answertrail_pipeline.corpus.formats.reading import CaptionError, Reading


@dataclass(frozen=True)
class Problem:
    """Something about a source that a person should know.

    Attributes:
        code: short stable reason, such as `duplicate_id`.
        file: where, relative to the source.
        message: one sentence, with the way out where there is one.
        video_id: whose it is, where that is known.
        warning: false for a mere note.
    """

    code: str
    file: str
    message: str
    video_id: str | None = None
    warning: bool = True


@dataclass(frozen=True)
class Track:
    """One caption file, or one track in a file of many.

    Attributes:
        name: the file, relative to the source; with `#language` where a file holds several.
        language: as its name or record says, or None.
        automatic: speech recognition made it; None where nobody says.
        read: reads it; raises `CaptionError`.
    """

    name: str
    language: str | None
    automatic: bool | None
    read: Callable[[], Reading]


@dataclass(frozen=True)
class Material:
    """Everything one video is made from.

    Attributes:
        record: its metadata as the source has it; fields as yt-dlp or `videos.jsonl` name them.
        record_name: the file it is from, for messages.
        tracks: its captions.
        document: the paragraphs of a dated document, instead of tracks; or why it cannot be read.
        source_hash: of what was read; must be the listed one, or the source changed in between.
    """

    record: Mapping[str, Any]
    record_name: str
    tracks: Sequence[Track] = ()
    document: Sequence[str] | CaptionError | None = None
    source_hash: str | None = None


@dataclass(frozen=True)
class Listed:
    """One video that a source offers.

    Attributes:
        video_id: as the source names it.
        source_hash: of the bytes of its captions and of its metadata record.
        load: reads this one video's material.
    """

    video_id: str
    source_hash: str
    load: Callable[[], Material] = field(repr=False, compare=False)


@dataclass(frozen=True)
class Listing:
    """The videos of a source, ordered by id, and what was odd.

    Attributes:
        complete: whether a video that is absent is gone; a feed shows only the newest.
    """

    videos: Sequence[Listed]
    problems: Sequence[Problem] = ()
    complete: bool = True


def unreadable(problem: str) -> CaptionError:
    """Return the error of a file that cannot be opened or read."""
    return CaptionError("unreadable", problem)
