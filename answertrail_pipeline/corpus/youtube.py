"""The way to YouTube: the public feed, yt-dlp for metadata, youtube-transcript-api for captions. No media.

All HTTP but yt-dlp's goes through one session that a caller may give, so tests run this code and the real
youtube-transcript-api against a server of their own. yt-dlp stands behind one function, `extract`. None of it was
ever run against YouTube itself here (docs/corpus.md).
"""

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import ParseError

from answertrail_pipeline.corpus.tracks import base_language
from answertrail_pipeline.errors import UserError

if TYPE_CHECKING:
    from requests import Session

FEED = "https://www.youtube.com/feeds/videos.xml"
UPLOADS = "https://www.youtube.com/channel/{channel_id}/videos"
WATCH = "https://www.youtube.com/watch?v={video_id}"
TIMEOUT_SECONDS = 30
_ATOM = "{http://www.w3.org/2005/Atom}"
_VIDEO_ID = "{http://www.youtube.com/xml/schemas/2015}videoId"
_SILENT = logging.Logger("yt-dlp", level=logging.CRITICAL + 1)
_KEPT_FIELDS = (
    "id", "title", "timestamp", "release_timestamp", "upload_date", "release_date", "live_status", "duration",
    "language", "channel_id", "webpage_url",
)  # fmt: skip


class RefusedError(Exception):
    """YouTube answers no more for now (HTTP 429, or a captcha)."""


class UnavailableError(Exception):
    """One thing could not be had; others may."""


@dataclass(frozen=True)
class Entry:
    """A video as the feed shows it; only the id where it comes from elsewhere."""

    video_id: str
    title: str | None = None
    published: str | None = None


@dataclass(frozen=True)
class Track:
    """A caption track: the bytes of its file; none where the answer was empty, so that it is asked for again."""

    language: str
    data: bytes


@dataclass(frozen=True)
class YouTube:
    """The ways to YouTube.

    Attributes:
        session: a `requests.Session`.
        extract: yt-dlp's `extract_info(url)`, without downloading; the flag asks for a flat list of entries.
            Raises `UnavailableError`.
    """

    session: "Session"
    extract: Callable[[str, bool], Mapping[str, Any]]

    def feed(self, channel_id: str) -> list[Entry]:
        """Return the newest uploads by the channel's public Atom feed.

        Raises:
            RefusedError: HTTP 429.
            UnavailableError: no connection, another status, or an answer that is no feed.
        """
        from defusedxml.ElementTree import fromstring

        body = self._get(FEED, params={"channel_id": channel_id})
        try:
            root = fromstring(body)
        except (ParseError, ValueError) as error:
            raise UnavailableError(f"The feed of {channel_id} is no XML ({len(body)} bytes).") from error
        return [
            Entry(video_id, entry.findtext(f"{_ATOM}title"), entry.findtext(f"{_ATOM}published"))
            for entry in root.iter(f"{_ATOM}entry")
            if (video_id := entry.findtext(_VIDEO_ID))
        ]

    def uploads(self, channel_id: str) -> list[str]:
        """Return the ids of all uploads, newest first, by yt-dlp; none where it cannot say."""
        try:
            listing = self.extract(UPLOADS.format(channel_id=channel_id), True)
        except UnavailableError:
            return []
        entries = listing.get("entries") or []
        return [str(entry["id"]) for entry in entries if isinstance(entry, Mapping) and entry.get("id")]

    def info(self, video_id: str) -> dict[str, Any]:
        """Return the metadata of a video that matter here, and which languages its tracks have.

        Raises:
            UnavailableError: yt-dlp cannot say.
        """
        found = self.extract(WATCH.format(video_id=video_id), False)
        kept = {name: found.get(name) for name in _KEPT_FIELDS}
        for name in ("subtitles", "automatic_captions"):
            tracks = found.get(name)
            kept[name] = {language: [] for language in tracks} if isinstance(tracks, Mapping) else {}
        return kept

    def captions(self, video_id: str, language: str) -> list[Track]:
        """Return the tracks in a language and its variants; else the first track there is.

        By youtube-transcript-api; where YouTube's answer to it cannot be used, by the addresses that yt-dlp knows.

        Raises:
            RefusedError: YouTube answers no more for now.
            UnavailableError: no connection, or no answer that can be read.
        """
        import requests
        import youtube_transcript_api as api

        try:
            offered = list(api.YouTubeTranscriptApi(http_client=self.session).list(video_id))
            return [_fetched(track) for track in _wanted(offered, language)]
        except (api.TranscriptsDisabled, api.NoTranscriptFound):
            return []
        except api.RequestBlocked as error:  # IpBlocked, HTTP 429, is one
            raise RefusedError("YouTube refuses further requests for captions.") from error
        except requests.RequestException as error:
            raise UnavailableError(f"No captions of {video_id}: {type(error).__name__}: {error}.") from error
        except (api.YouTubeTranscriptApiException, ValueError, KeyError, TypeError) as error:
            return self._captions_by_ytdlp(video_id, language, error)

    def _captions_by_ytdlp(self, video_id: str, language: str, why: Exception) -> list[Track]:
        found = self.extract(WATCH.format(video_id=video_id), False)
        for name in ("subtitles", "automatic_captions"):
            tracks = found.get(name)
            for tag, forms in sorted(tracks.items()) if isinstance(tracks, Mapping) else ():
                address = next((form.get("url") for form in forms if form.get("ext") == "json3"), None)
                if address and base_language(tag) == base_language(language):
                    return [Track(tag, self._get(address))]
        raise UnavailableError(f"No captions of {video_id}: {type(why).__name__}.")

    def _get(self, url: str, **arguments: Any) -> bytes:
        import requests

        try:
            response = self.session.get(url, timeout=TIMEOUT_SECONDS, **arguments)
        except requests.RequestException as error:
            raise UnavailableError(f"{url} cannot be reached: {type(error).__name__}.") from error
        if response.status_code == 429:
            raise RefusedError(f"{url} answers HTTP 429.")
        if response.status_code != 200:
            raise UnavailableError(f"{url} answers HTTP {response.status_code}.")
        return response.content


def _wanted(offered: Iterable[Any], language: str) -> list[Any]:
    tracks = list(offered)
    same = [track for track in tracks if base_language(track.language_code) == base_language(language)]
    chosen: dict[str, Any] = {}
    for track in same or tracks[:1]:
        chosen.setdefault(track.language_code, track)  # manual ones come first: they win within a language
    return list(chosen.values())


def _fetched(track: Any) -> Track:
    try:
        snippets = track.fetch().to_raw_data()
    except ParseError:  # HTTP 200 with an empty body, as YouTube answers at times
        return Track(track.language_code, b"")
    said = {"language_code": track.language_code, "is_generated": track.is_generated, "snippets": snippets}
    return Track(track.language_code, json.dumps(said, ensure_ascii=False).encode("utf-8", "replace"))


def connect() -> YouTube:
    """Return the real way to YouTube.

    Raises:
        UserError: the extra `youtube` is not installed.
    """
    try:
        import requests
        import youtube_transcript_api  # noqa: F401
        import yt_dlp  # noqa: F401
    except ImportError as error:
        raise UserError(
            f"A source of kind `feed` needs {error.name}.", "Run `pip install answertrail-pipeline[youtube]`."
        ) from error
    return YouTube(requests.Session(), extract_with_ytdlp)


def extract_with_ytdlp(url: str, flat: bool) -> Mapping[str, Any]:
    """Return what yt-dlp says about a URL, downloading nothing.

    Raises:
        UnavailableError: it cannot say.
    """
    import yt_dlp

    options = {
        "skip_download": True,
        "quiet": True,
        "no_warnings": True,
        "noprogress": True,
        "ignore_no_formats_error": True,
        "extract_flat": "in_playlist" if flat else False,
        "socket_timeout": TIMEOUT_SECONDS,
        "cachedir": False,
        "logger": _SILENT,  # it prints errors even when quiet, and raises them too
    }
    try:
        with yt_dlp.YoutubeDL(options) as downloader:
            found = downloader.sanitize_info(downloader.extract_info(url, download=False))
    except yt_dlp.utils.YoutubeDLError as error:
        raise UnavailableError(f"yt-dlp on {url}: {error}") from error
    return found if isinstance(found, Mapping) else {}
