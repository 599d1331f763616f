"""The live web by real HTTP against a local server: found, read, stored, replayed; private addresses refused."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from answertrail_pipeline.agents.arms import make_arm
from answertrail_pipeline.agents.ask import ask, ready_arm
from answertrail_pipeline.agents.biographies import read_answer
from answertrail_pipeline.agents.types import Trail
from answertrail_pipeline.agents.web import Web, refuse_private, web_search
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.gold.biographies.people import Person, store_people
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.retrieval.types import Query
from answertrail_pipeline.settings import WebSettings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.agents import little

PAGE = "http://1.1.1.1/valdo"  # a public address: checked, never called


@pytest.fixture
def services() -> Iterator[tuple[str, list[tuple[str, dict[str, str], bytes]]]]:
    """Serper, Jina Reader and Exa on loopback."""
    seen: list[tuple[str, dict[str, str], bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def _reply(self, body: object) -> None:
            seen.append((self.path, dict(self.headers), self.asked))
            raw = json.dumps(body).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(raw)

        def do_POST(self) -> None:
            self.asked = self.rfile.read(int(self.headers["Content-Length"]))
            asked = json.loads(self.asked)
            if self.path == "/search":
                links = [PAGE, "http://127.0.0.1/secret", "file:///etc/passwd"]
                self._reply({"organic": [{"link": link} for link in links]})
            else:
                self._reply({"results": [{"title": "Valdo", "text": f"Exa read {asked['urls'][0]}."}]})

        def do_GET(self) -> None:
            self.asked = b""
            self._reply({"data": {"title": "Irena Valdo", "content": "Mayor, Port Amaro, 2000 to 2004."}})

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", seen
    server.shutdown()


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SERPER_API_KEY", "JINA_API_KEY", "EXA_API_KEY"):
        monkeypatch.setenv(name, "k")


async def test_found_read_stored_and_replayed_without_the_web(database: Database, services) -> None:
    base, seen = services
    live = WebSettings(search_base=base, reader_base=base)
    first = await web_search(database, live, 5)(Query("Irena Valdo mayor"), ())
    (hit,) = first.hits
    assert hit.text == "Mayor, Port Amaro, 2000 to 2004."
    assert hit.chunk_id.startswith("foreign#")
    assert hit.why["url"] == PAGE
    assert [path for path, *_ in seen] == ["/search", f"/{PAGE}"]  # neither loopback nor file was read
    assert seen[0][1]["X-API-KEY"] == "k"
    gone = WebSettings(search_base="http://127.0.0.1:1", reader_base="http://127.0.0.1:1", replay=True)
    assert (await web_search(database, gone, 5)(Query("Irena Valdo mayor"), ())).hits == first.hits
    with pytest.raises(UnitError, match="not_stored"):
        await web_search(database, gone, 5)(Query("never asked"), ())
    with database.begin() as connection:
        assert connection.execute(text("select count(*) from pages")).scalar() == 1


async def test_exa_reads_too_and_a_large_page_is_left(database: Database, services) -> None:
    base, _seen = services
    page = await Web(database, WebSettings(search_base=base, reader_base=base, reader="exa")).read(PAGE)
    assert page is not None
    assert page.text == f"Exa read {PAGE}."
    small = WebSettings(search_base=base, reader_base=base, max_bytes=10)
    assert await Web(database, small).read("http://1.1.1.1/other") is None


async def test_a_missing_key_is_named(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SERPER_API_KEY")
    with pytest.raises(UnitError, match="SERPER_API_KEY"):
        await Web(database, WebSettings()).find("anything")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://localhost:8000/", "http://10.0.0.3/x", "http://169.254.169.254/latest",
        "http://[::1]/", "ftp://1.1.1.1/x", "file:///etc/passwd", "http://user:pw@1.1.1.1/", "http://2130706433/",
        "//1.1.1.1", "http://[fe80::1%25eth0]/",
    ],
)  # fmt: skip
async def test_private_and_odd_addresses_are_refused(url: str) -> None:
    with pytest.raises(UnitError, match="forbidden_url"):
        await refuse_private(url)


async def test_an_arm_over_the_live_web_and_again_without_it(database: Database, services, tmp_path: Path) -> None:
    base, seen = services
    little.store_corpus(database)
    names = (("Irena Valdo", "en"), ("猪連 波瑠土", "ja"))
    with database.begin() as connection:
        person = Person("q", "Irena Valdo", "Sanrei", "North", None, names, "test")
        store_people(connection, little.CHANNEL, [person])
    door = Door(database, little.settings(tmp_path))

    async def career(**web: Any) -> Trail:
        how = {"strategy": "agent", "web": {"search_base": base, "reader_base": base, **web}}
        arm = little.settings(tmp_path, agent="biography", biography=how)
        whole = make_arm("arm", arm, little.CHANNEL)
        ready = ready_arm(door, arm, little.NoEmbedder(), little.CHANNEL, whole)
        return await ask(ready, "career", little.ACCOUNT, question_id="q")

    trail = await career()
    (event,) = read_answer(trail.answer).events
    assert (event.role, event.organization, event.start, event.end) == ("Mayor", "Port Amaro", "2000", "2004")
    (kept,) = [chunk for chunk in trail.retrieved if chunk.kept]
    assert kept.hit.why["url"] == PAGE
    asked = [json.loads(body)["hl"] for path, _, body in seen if path == "/search"]
    assert {"en", "ja"} <= set(asked)  # the local script too, and told to the service
    again = await career(search_base="http://127.0.0.1:1", reader_base="http://127.0.0.1:1", replay=True)
    assert again.answer == trail.answer
    assert again.events == trail.events
    await door.close()
