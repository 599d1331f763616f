"""A person's whole job in a real browser, by keyboard; and how every page looks."""

import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from answertrail_pipeline.gold.adjudication import decide
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.retrieval.index import build_index
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.workbench.access import Access
from answertrail_pipeline.workbench.app import build_app
from answertrail_pipeline.workbench.serve import start_link
from answertrail_pipeline_tests.gold.channel import CHANNEL, rows
from answertrail_pipeline_tests.workbench import library

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
SHOTS = Path(__file__).resolve().parents[2] / "build" / "screenshots"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not on this machine"),
]
LOOKS = {
    "light": ("light", 1280),
    "dark": ("dark", 1280),
    "narrow": ("light", 390),
    "narrow-dark": ("dark", 390),
}
PAGES = {
    "overview": "",
    "questions": "/questions",
    "question": "/questions/fc-00000003?queue=all",
    "nuggets": "/nuggets/fc-00000000?queue=all",
    "differences": "/differences",
    "gold": "/gold",
    "label": "/label",
    "trails": "/trails",
    "trail": f"/trail?run={library.RUN}&question=fc-00000000",
    "trails-beside": f"/trail?run={library.RUN}&question=fc-00000000&beside={library.RUN_B}",
    "ask": "/ask",
    "videos": "/videos",
    "video": "/videos/v1",
    "claims": "/claims",
    "threads": "/threads",
    "thread": "/threads/kiln%20rent",
    "search": "/search?find=kiln+rent&by=bm25",
    "quarantine": "/quarantine",
}


PALE = (Path(__file__).parent / "pale.js").read_text("utf-8")
"""The texts of a page whose contrast is below WCAG 2.2 AA (1.4.3): 4.5 to 1, of large text 3 to 1."""


@dataclass
class Served:
    base: str
    link: str


@pytest.fixture
def served(project: Project) -> Iterator[Served]:
    """The workbench behind a real server on a free port."""
    import uvicorn

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    access = Access(cookie=f"answertrail_{port}")
    server = uvicorn.Server(uvicorn.Config(build_app(project, access), log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield Served(f"http://127.0.0.1:{port}", start_link(access, port))
    server.should_exit = True
    thread.join()
    listening.close()


@pytest.fixture
def browser() -> "Iterator[Browser]":
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()


def come_in(browser: "Browser", served: Served, said: list[str], **options: Any) -> "Page":
    page = browser.new_context(**options).new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(f"dialog {dialog.message}"))
    page.goto(served.link)
    assert "token" not in page.url
    page.goto(f"{served.base}/c/{CHANNEL}/questions")
    page.keyboard.press("k")  # start with the first: asks for the name
    page.wait_for_url("**/name?*")
    page.locator("input:focus").wait_for()  # the field has the focus by itself
    page.keyboard.type("Ada Byron")
    page.keyboard.press("Enter")
    page.wait_for_url("**/questions/fc-00000000?*")
    return page


def press(page: "Page", key: str) -> None:
    """Press a key that leads to another page."""
    with page.expect_navigation(wait_until="load"):
        page.keyboard.press(key)


def test_a_person_does_the_whole_job_by_keyboard(
    browser: "Browser", served: Served, project: Project, database: Database
) -> None:
    library.put_library(database, 20)
    library.put_runs(database, project.settings)
    library.put_pairs(database, 12)
    said: list[str] = []
    page = come_in(browser, served, said, viewport={"width": 1280, "height": 900})

    # 20 questions: every fourth is cut as unspecific (2), one is undone, one is edited
    assert page.locator(".pace b").inner_text() == "20"
    for number in range(20):
        assert page.locator(".pace b").inner_text() == str(20 - number)
        if number == 4:
            press(page, "k")
            press(page, "u")  # the one just kept is back
            assert page.locator(".pace b").inner_text() == "16"
        if number == 5:
            page.keyboard.press("e")
            page.keyboard.press("ControlOrMeta+a")
            page.keyboard.type("What did kiln rent come to in January?")
            press(page, "Control+Enter")
        elif number % 4 == 3:
            page.keyboard.press("c")
            press(page, "2")
        else:
            press(page, "k")
    assert page.locator("text=Nothing waits for you").is_visible()
    counts = {
        row["state"]: row["n"] for row in rows(database, "select state, count(*) n from questions group by 1")
    }
    assert counts == {"kept": 15, "cut": 5}
    decisions = rows(database, "select decision, count(*) n from adjudications group by 1")
    assert {row["decision"]: row["n"] for row in decisions} == {"keep": 16, "cut": 5, "edit": 1, "undo": 1}
    reasons = rows(database, "select distinct reason_code, reviewer from adjudications where decision = 'cut'")
    assert [(row["reason_code"], row["reviewer"]) for row in reasons] == [("unspecific", "Ada Byron")]
    edited = rows(database, "select old_text, new_text from adjudications where decision = 'edit'")[0]
    assert edited["new_text"] == "What did kiln rent come to in January?"
    assert edited["old_text"].startswith("What was the kiln rent of studio")

    # the nuggets of what was kept, then freeze
    page.goto(f"{served.base}/c/{CHANNEL}/nuggets")
    press(page, "k")
    for number in range(15):
        press(page, "k")
        press(page, "j")  # the next question; after the last, the gold versions
        if number < 14:
            assert "/nuggets/" in page.url
    assert page.url.endswith("/gold")
    page.fill("#name", "v1")
    press(page, "Enter")
    assert "Frozen as v1" in page.locator(".flash").inner_text()
    gold = load_gold(database, CHANNEL, "v1")
    assert gold is not None
    assert (len(gold.questions), gold.reviewers) == (15, ("Ada Byron",))

    # ten pairs, blind, with one label taken back
    page.goto(f"{served.base}/c/{CHANNEL}/label")
    for number in range(10):
        assert library.SECRET_REASON not in page.content()
        press(page, "hms"[number % 3])
    press(page, "u")
    press(page, "m")
    assert page.locator(".pace b").inner_text() == "2"
    labels = rows(database, "select label from labels order by label_id")
    assert [row["label"] for row in labels] == ["HIT", "MISS", "unsure"] * 3 + ["HIT", "MISS"]

    # read a trail: a citation opens its chunk
    page.goto(f"{served.base}/c/{CHANNEL}/trails?run={library.RUN}")
    press(page, "k")
    passage = page.locator("[id='a-v2:00000']")
    assert not passage.is_visible()
    page.locator(".answer .cite").nth(1).click()
    passage.wait_for(state="visible")
    assert "250 dollars" in passage.inner_text()
    assert page.locator(".verdict.HIT").first.is_visible()
    assert said == []


def test_a_window_is_read_as_it_is_typed(browser: "Browser", served: Served, database: Database) -> None:
    library.put_library(database, 1)
    with database.begin() as connection:
        connection.exec_driver_sql("update questions set state = 'kept', tier = 'longitudinal'")
    said: list[str] = []
    page = browser.new_context().new_page()
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(served.link)
    page.goto(f"{served.base}/name")
    page.fill("#name", "Ada")
    press(page, "Enter")
    page.goto(f"{served.base}/c/{CHANNEL}/nuggets/fc-00000000")
    page.fill("#new-window", "mid 2025 - March 2026")
    read = page.locator("#new-window-read")
    read.get_by_text("1 May 2025 to 31 March 2026").wait_for()
    page.fill("#new-window", "soonish <b>")
    read.get_by_text("`soonish <b>` is not a time that can be read").wait_for()
    assert said == []


@pytest.fixture
async def indexed(database: Database, project: Project) -> None:
    """The library, filled and searchable, with everything that a page can show."""
    library.put_library(database, 60)
    library.put_runs(database, project.settings)
    library.put_gold(database)
    library.put_pairs(database)
    await build_index(database, CHANNEL, project.embedder(CHANNEL), "en")
    for reviewer, decision, code in (("Bob", "keep", None), ("Carol", "cut", "unnatural")):
        decide(database, CHANNEL, "question", "fc-00000004", decision, reviewer, reason_code=code)


@pytest.mark.usefixtures("indexed")
def test_every_page_fits_and_is_photographed(browser: "Browser", served: Served) -> None:
    for look, (scheme, width) in LOOKS.items():
        photograph(browser, served, look, scheme, width)


def photograph(browser: "Browser", served: Served, look: str, scheme: str, width: int) -> None:
    said: list[str] = []
    page = come_in(browser, served, said, color_scheme=scheme, viewport={"width": width, "height": 900})
    SHOTS.mkdir(parents=True, exist_ok=True)
    for name, path in PAGES.items():
        page.goto(f"{served.base}/c/{CHANNEL}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        unnamed = page.evaluate(
            "[...document.querySelectorAll('input:not([type=hidden]), select, textarea')]"
            ".filter((field) => !field.labels.length).map((field) => field.outerHTML)"
        )
        assert unnamed == [], name
        assert page.evaluate(PALE) == [], f"{name} {look}"
        page.screenshot(path=SHOTS / f"workbench-{name}-{look}.png", full_page=True)
    page.evaluate("document.querySelector('main').prepend('pale')")
    page.evaluate("document.querySelector('main').style.color = getComputedStyle(document.body).backgroundColor")
    assert any("pale" in text for text in page.evaluate(PALE)), "what is pale is found"
    page.goto(f"{served.base}/c/{CHANNEL}/questions/fc-00000003?queue=all")
    page.keyboard.press("c")
    page.screenshot(path=SHOTS / f"workbench-cut-{look}.png", full_page=True)
    page.goto(f"{served.base}/c/{CHANNEL}/ask")
    page.fill("#question", "What is the kiln rent?")
    page.keyboard.press("Control+Enter")
    page.locator(".answer").wait_for(timeout=60_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=SHOTS / f"workbench-answer-{look}.png", full_page=True)
    assert said == []
