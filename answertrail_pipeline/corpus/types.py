"""The corpus's words: video, cue, chunk."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple


class Cue(NamedTuple):
    """One timed caption line. Seconds; `end` is never before `start`."""

    start: float
    end: float
    text: str


@dataclass(frozen=True)
class Video:
    """One upload with its date, or one dated document (`kind`)."""

    video_id: str
    title: str
    published_at: datetime
    published_precision: Literal["second", "day"]
    published_source: str
    language: str
    kind: Literal["video", "document"] = "video"
    url: str | None = None
    duration_seconds: float | None = None
    track: dict[str, str] = field(default_factory=dict)
    """The caption track that was used, and why."""


@dataclass(frozen=True)
class Chunk:
    """A transcript window: the unit that is searched and cited.

    Attributes:
        chunk_id: `video_id:SSSSS`, the window's start second with at least five digits.
        start_seconds: start of the first cue: where a link opens.
        text: all words of its cues.
        spoken_text: `text` without non-speech marks and invented text: what is embedded, mined and shown to
            agents. Empty where nothing was spoken: such a chunk is in the transcript, and in no index.
        invented: all that its cues say is repeated text that speech recognition made over silence.
        marks: how many non-speech marks were left out of `spoken_text`.
    """

    chunk_id: str
    position: int
    start_seconds: float
    end_seconds: float
    text: str
    spoken_text: str
    invented: bool = False
    marks: int = 0


def chunk_second(chunk_id: str) -> int:
    """Return the start second (or character offset) in a chunk id, by which a video's chunks are ordered."""
    return int(chunk_id.rpartition(":")[2])
