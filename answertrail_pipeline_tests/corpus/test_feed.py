"""A live channel: the real feed reader and youtube-transcript-api against a server of our own.

The answers have the shape that YouTube's had when those clients were written; yt-dlp is a function here. Nothing
of this was run against YouTube itself.
"""

import http.server
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from answertrail_pipeline.corpus.build import Built, build
from answertrail_pipeline.corpus.listing import Listing
from answertrail_pipeline.corpus.source_feed import list_feed
from answertrail_pipeline.corpus.youtube import UnavailableError, YouTube
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.settings import ChannelSettings, FeedSource

requests = pytest.importorskip("requests")
pytest.importorskip("youtube_transcript_api")

CHANNEL = "UC" + "a" * 22


@dataclass
class Site:
    """What the server answers, and what it was asked."""

    videos: dict[str, str] = field(default_factory=dict)
    tracks: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    bodies: dict[tuple[str, str], str] = field(default_factory=dict)
    status: dict[str, int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    infos: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    url: str = ""

    def answer(self, path: str, query: dict[str, list[str]], body: bytes) -> tuple[int, str]:
        name = path.rpartition("/")[2]
        self.asked.append(name)
        if name in self.status:
            return self.status[name], ""
        if name == "videos.xml":
            return 200, self.feed()
        if name == "watch":
            return 200, '<html><script>ytcfg.set({"INNERTUBE_API_KEY": "key-1"})</script></html>'
        if name == "player":
            return 200, json.dumps(self.player(json.loads(body)["videoId"]))
        return 200, self.bodies[query["v"][0], query["lang"][0]]

    def feed(self) -> str:
        entries = "".join(
            f"<entry><id>yt:video:{name}</id><yt:videoId>{name}</yt:videoId><title>{escape(title)}</title>"
            f"<published>2024-05-0{k}T10:00:00+00:00</published></entry>"
            for k, (name, title) in enumerate(self.videos.items(), 1)
        )
        return (
            '<?xml version="1.0" encoding="UTF-8"?><feed xmlns:yt="http://www.youtube.com/xml/schemas/2015"'
            f' xmlns="http://www.w3.org/2005/Atom"><title>A channel</title>{entries}</feed>'
        )

    def player(self, video_id: str) -> dict[str, Any]:
        if video_id not in self.tracks:
            return {"playabilityStatus": {"status": "OK"}}
        tracks = [
            {
                "baseUrl": f"{self.url}/timedtext?v={video_id}&lang={language}",
                "languageCode": language,
                "kind": kind,
                "name": {"runs": [{"text": language}]},
            }
            for language, kind in self.tracks[video_id]
        ]
        return {
            "playabilityStatus": {"status": "OK"},
            "captions": {"playerCaptionsTracklistRenderer": {"captionTracks": tracks}},
        }

    def extract(self, url: str, flat: bool) -> Mapping[str, Any]:
        """Answer as yt-dlp's `extract_info` documents."""
        self.asked.append("flat" if flat else "info")
        name = "uploads" if flat else url.rpartition("=")[2]
        if name not in self.infos:
            raise UnavailableError(f"yt-dlp on {url}: Video unavailable")
        return self.infos[name]


def transcript(*lines: str) -> str:
    body = "".join(f'<text start="{k * 20}" dur="3.5">{escape(line)}</text>' for k, line in enumerate(lines))
    return f'<?xml version="1.0" encoding="utf-8" ?><transcript>{body}</transcript>'


class _ToServer(requests.adapters.HTTPAdapter):  # type: ignore[misc]
    """Sends requests for YouTube's host, which the clients hard-code, to the local server."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url

    def send(self, request: Any, **arguments: Any) -> Any:
        parts = urlsplit(request.url)
        request.url = f"{self.url}{parts.path}?{parts.query}"
        return super().send(request, **arguments)


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            status, text = site.answer(parts.path, parse_qs(parts.query), body)
            data = text.encode()
            self.send_response(status)
            self.send_header("content-length", str(len(data)))
            self.send_header("content-type", "text/plain; charset=utf-8")
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = answer  # noqa: N815

        def log_message(self, *_: object) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield site
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def listing(site: Site, tmp_path: Path) -> Callable[..., Listing]:
    session = requests.Session()
    session.mount("https://", _ToServer(site.url))
    youtube = YouTube(session, site.extract)

    def run(**more: object) -> Listing:
        source = FeedSource.model_validate({"channel_id": CHANNEL, "path": tmp_path, **more})
        return list_feed(source, "en", youtube)

    return run


def built(listing: Listing, video_id: str) -> Built:
    (video,) = [video for video in listing.videos if video.video_id == video_id]
    channel = ChannelSettings(source=FeedSource(channel_id=CHANNEL))
    return build(video_id, video.load(), channel)


def test_new_uploads_are_fetched_once(site: Site, listing: Callable[..., Listing]) -> None:
    site.videos = {"-vid_1": "A & B"}
    site.infos = {"-vid_1": {"id": "-vid_1", "title": "A & B", "timestamp": 1714557600, "formats": ["media"]}}
    site.tracks = {"-vid_1": [("en", "asr"), ("en-GB", ""), ("de", "")]}
    site.bodies = {("-vid_1", "en"): transcript("auto"), ("-vid_1", "en-GB"): transcript("it's by hand", "more")}
    first = listing()
    assert not first.complete
    video = built(first, "-vid_1").video
    assert video is not None
    assert (video.title, video.track["language"], video.track["kind"]) == ("A & B", "en-GB", "manual")
    # 1714557600 s = 2024-05-01T10:00:00Z
    assert (video.published_at.isoformat(), video.published_source) == ("2024-05-01T10:00:00+00:00", "timestamp")
    assert [chunk.text for chunk in built(first, "-vid_1").chunks] == ["it's by hand more"]
    site.asked.clear()
    again = listing()
    assert site.asked == ["videos.xml"]
    assert again.videos == first.videos


def test_the_feed_dates_what_ytdlp_cannot(site: Site, listing: Callable[..., Listing]) -> None:
    site.videos = {"v1": "One"}
    site.tracks = {"v1": [("en", "")]}
    site.bodies = {("v1", "en"): transcript("words")}
    video = built(listing(), "v1").video
    assert video is not None
    assert (video.published_at.isoformat(), video.published_source) == (
        "2024-05-01T10:00:00+00:00",
        "published_at",
    )


def test_older_uploads_come_from_ytdlp_and_a_bounded_number_at_once(
    site: Site, listing: Callable[..., Listing]
) -> None:
    site.infos = {"uploads": {"entries": [{"id": f"v{k}"} for k in range(5)] + [{"id": "../../evil"}, None]}}
    for k in range(5):
        site.infos[f"v{k}"] = {"id": f"v{k}", "title": "T", "upload_date": "20240102"}
        site.tracks[f"v{k}"] = [("en", "")]
        site.bodies[f"v{k}", "en"] = transcript("words")
    first = listing(max_new_videos=3)
    assert [video.video_id for video in first.videos] == ["v0", "v1", "v2"]
    assert [problem.code for problem in first.problems] == ["videos_wait"]
    assert "2 videos wait" in first.problems[0].message


def test_an_empty_body_is_no_captions_until_a_good_one_comes(site: Site, listing: Callable[..., Listing]) -> None:
    site.videos = {"v1": "One"}
    site.tracks = {"v1": [("en", "")]}
    site.bodies = {("v1", "en"): ""}
    assert [row.code for row in built(listing(), "v1").quarantine] == ["no_captions"]
    site.bodies = {("v1", "en"): transcript("late words")}
    later = built(listing(), "v1")
    assert (later.quarantine, [chunk.text for chunk in later.chunks]) == ([], ["late words"])


def test_a_video_without_captions_is_asked_for_again(site: Site, listing: Callable[..., Listing]) -> None:
    site.videos = {"v1": "One"}
    assert [row.code for row in built(listing(), "v1").quarantine] == ["no_captions"]
    site.tracks = {"v1": [("en", "asr")]}
    site.bodies = {("v1", "en"): transcript("words")}
    assert built(listing(), "v1").blocked is None


def test_429_keeps_what_there_is_and_goes_on_next_time(site: Site, listing: Callable[..., Listing]) -> None:
    site.videos = {"v1": "One", "v2": "Two"}
    site.tracks = {"v1": [("en", "")], "v2": [("en", "")]}
    site.bodies = {("v1", "en"): transcript("one"), ("v2", "en"): transcript("two")}
    site.status = {"timedtext": 429}
    refused = listing()
    assert [problem.code for problem in refused.problems] == ["rate_limited"]
    assert [video.video_id for video in refused.videos] == ["v1"]
    site.status = {}
    assert [video.video_id for video in listing().videos] == ["v1", "v2"]
    site.status = {"videos.xml": 429}
    assert [video.video_id for video in listing().videos] == ["v1", "v2"]


def test_where_the_transcripts_fail_ytdlp_knows_an_address(site: Site, listing: Callable[..., Listing]) -> None:
    site.videos = {"v1": "One"}
    site.status = {"player": 500}
    events = {"events": [{"tStartMs": 0, "dDurationMs": 900, "segs": [{"utf8": "by address"}]}]}
    address = f"{site.url}/timedtext?v=v1&lang=en-US"
    site.bodies = {("v1", "en-US"): json.dumps(events)}
    site.infos = {
        "v1": {
            "id": "v1",
            "timestamp": 1714557600,
            "subtitles": {"de": [], "en-US": [{"ext": "vtt", "url": "x:"}, {"ext": "json3", "url": address}]},
        }
    }
    assert [chunk.text for chunk in built(listing(), "v1").chunks] == ["by address"]


@pytest.mark.parametrize("status", [404, 500, 200])
def test_an_unreachable_channel_is_a_user_error_only_while_nothing_is_there(
    site: Site, listing: Callable[..., Listing], status: int
) -> None:
    if status == 200:
        site.feed = lambda: "<html>not a feed"  # type: ignore[method-assign]
    else:
        site.status = {"videos.xml": status}
    with pytest.raises(UserError, match="Nothing could be fetched"):
        listing()
