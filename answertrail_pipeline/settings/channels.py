"""Where the texts of a channel come from, and how they become chunks."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from answertrail_pipeline.settings.strict import Strict


class FolderSource(Strict):
    """A folder of caption files with their metadata, as yt-dlp writes them."""

    kind: Literal["folder"] = "folder"
    path: Path


class JsonlSource(Strict):
    """A `videos.jsonl` and cue JSONL files (plain or gzip)."""

    kind: Literal["jsonl"] = "jsonl"
    path: Path
    corpus: str | None = None
    """Keep only the videos whose field `corpus` says this."""


class CsvSource(Strict):
    """A CSV of videos (video_id, title, published_at, captions[, language, url]) and caption paths."""

    kind: Literal["csv"] = "csv"
    path: Path


class FeedSource(Strict):
    """A live YouTube channel: its public feed and caption tracks (extra `youtube`)."""

    kind: Literal["feed"] = "feed"
    channel_id: Annotated[str, Field(pattern=r"^UC[A-Za-z0-9_-]{22}$")]
    path: Path = Path("youtube")
    """Folder where what was fetched is kept, in a folder by channel; it is read like any caption folder."""
    max_new_videos: int = Field(25, gt=0)
    """How many videos one listing fetches; the others wait for the next."""


class DocumentsSource(Strict):
    """A folder of dated documents: Markdown, HTML, plain text, or a CSV that lists them."""

    kind: Literal["documents"] = "documents"
    path: Path


Source = Annotated[
    FolderSource | JsonlSource | CsvSource | FeedSource | DocumentsSource, Field(discriminator="kind")
]


class ChannelSettings(Strict):
    """One creator's library or one collection of documents."""

    source: Source
    title: str = ""
    language: str = "en"
    window_seconds: int = Field(30, gt=0, le=600)
    long_cue_seconds: float = Field(15, gt=0)
    """A cue that lasts longer and crosses the border of a window is split (docs/corpus.md)."""
    max_lost_share: float = Field(0.1, ge=0, le=1)
    """A caption file that lost a larger share of its cues is not used."""
    document_window_words: int = Field(120, gt=0)
    document_window_characters: int = Field(400, gt=0)
    """Window of a document in a script that writes no spaces."""
    max_unreadable_share: float = Field(0.05, ge=0, le=1)
    """Above this share of unreadable files the check `captions_readable` fails."""
    max_listing_loss: float = Field(0.10, ge=0, le=1)
    """A listing that is smaller by more than this share retires nothing."""
