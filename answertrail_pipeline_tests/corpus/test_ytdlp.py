"""The real yt-dlp against a server of our own: the shape of its answers, and what its errors become."""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from answertrail_pipeline.corpus.youtube import UnavailableError, extract_with_ytdlp

pytest.importorskip("yt_dlp")

PLAYLIST = (
    '<?xml version="1.0"?><rss version="2.0"><channel><title>Talks</title>'
    "<item><title>First</title><link>{url}/first.mp4</link></item>"
    "<item><title>Second</title><link>{url}/second.mp4</link></item></channel></rss>"
)


class _Media(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        assert isinstance(self.server, http.server.HTTPServer)
        files = {
            "/talks.xml": (
                "text/xml",
                PLAYLIST.format(url=f"http://127.0.0.1:{self.server.server_port}").encode(),
            ),
            "/first.mp4": ("video/mp4", bytes(2_000)),
        }
        if self.path not in files:
            self.send_error(404)
            return
        kind, body = files[self.path]
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Media)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_flat_listing_has_entries_and_opens_none_of_them(site: str) -> None:
    found = extract_with_ytdlp(f"{site}/talks.xml", True)
    assert [entry["title"] for entry in found["entries"]] == ["First", "Second"]


def test_metadata_are_plain_values_and_no_media_is_kept(
    site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = extract_with_ytdlp(f"{site}/first.mp4", False)
    assert (found["id"], found["title"], found["subtitles"]) == ("first", "first", {})
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_had_is_said_by_the_error_alone(site: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnavailableError, match="HTTP Error 404"):
        extract_with_ytdlp(f"{site}/absent", False)
    assert capfd.readouterr() == ("", "")
