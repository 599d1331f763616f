"""Who is let in, what a form needs, and what pages do with hostile text."""

import re

import pytest
from starlette.testclient import TestClient

from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.workbench.access import Access
from answertrail_pipeline.workbench.app import build_app
from answertrail_pipeline.workbench.serve import HOST, start_link
from answertrail_pipeline_tests.gold.channel import CHANNEL, rows
from answertrail_pipeline_tests.workbench import library
from answertrail_pipeline_tests.workbench.conftest import Enter

PAGES = (
    "", "/questions?queue=all", "/questions/fc-00000003", "/nuggets?queue=all", "/nuggets/fc-00000000?queue=all",
    "/differences", "/gold", "/label", "/trails", f"/trail?run={library.RUN}&question=fc-00000000",
    f"/trail?run={library.RUN}&question=fc-00000000&beside={library.RUN_B}", "/ask", "/videos", "/videos/v1",
    "/claims", "/threads", "/threads/kiln%20rent", "/quarantine",
)  # fmt: skip


def browser(project: Project, access: Access, **headers: str) -> TestClient:
    return TestClient(build_app(project, access), headers=headers, follow_redirects=False)


def test_nobody_comes_in_without_the_link(project: Project) -> None:
    client = browser(project, access := Access(hosts=("testserver",)))
    for path in ("/", f"/c/{CHANNEL}/questions", "/name", f"/c/{CHANNEL}/nothing", "/window?text=2025"):
        assert client.get(path).status_code == 401, path
    assert client.post(f"/c/{CHANNEL}/decide").status_code == 401
    assert client.get("/?token=guess").status_code == 401
    client.cookies.set(access.cookie, "guess")
    assert client.get("/").status_code == 401


def test_the_link_gives_a_cookie_and_leaves_no_token_behind(project: Project) -> None:
    client = browser(project, access := Access(hosts=("testserver",)))
    came = client.get(f"/c/{CHANNEL}/questions?queue=all&token={access.token}")
    assert came.status_code == 303
    assert came.headers["location"] == f"/c/{CHANNEL}/questions?queue=all"
    cookie = came.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert access.token not in cookie
    assert client.get("/name").status_code == 200


def test_the_link_leads_nowhere_else(project: Project) -> None:
    client = browser(project, access := Access(hosts=("testserver",)))
    came = client.get(f"http://testserver//evil.example/x?token={access.token}")
    assert came.headers["location"] == "/evil.example/x"


def test_the_link_is_on_loopback(project: Project) -> None:
    access = Access()
    assert HOST == "127.0.0.1"
    assert start_link(access, 3001) == f"http://127.0.0.1:3001/?token={access.token}"
    assert len(access.token) >= 40


def test_another_host_name_is_refused(project: Project) -> None:
    access = Access(hosts=("testserver",))
    client = browser(project, access, host="rebound.example")
    assert client.get(f"/?token={access.token}").status_code == 400


def test_a_proxy_names_the_person_and_no_token_is_asked_for(project: Project, database: Database) -> None:
    library.put_library(database, 1)
    access = Access(user_header="X-Remote-User", hosts=("testserver",))
    assert browser(project, access).get("/name").status_code == 401
    client = browser(project, access, **{"X-Remote-User": "grace"})
    page = client.get(f"/c/{CHANNEL}/questions/fc-00000000").text
    assert "grace" in page
    csrf = re.search(r'name="csrf" value="(\w+)"', page)
    assert csrf
    fields = {"csrf": csrf.group(1), "kind": "question", "item_id": "fc-00000000", "decision": "keep"}
    # the cookie of a name does not count: the proxy's word does
    client.cookies.set("answertrail_name", "mallory")
    assert client.post(f"/c/{CHANNEL}/decide", data=fields).status_code == 303
    assert [row["reviewer"] for row in rows(database, "select reviewer from adjudications")] == ["grace"]
    assert "token" not in start_link(access, 3001)


def test_a_form_without_its_token_changes_nothing(enter: Enter, database: Database) -> None:
    library.put_library(database, 1)
    ada, bob = enter("Ada"), enter("Bob")
    fields = {"kind": "question", "item_id": "fc-00000000", "decision": "keep"}
    for csrf in ("", "guess", bob.csrf()):
        response = ada.client.post(f"/c/{CHANNEL}/decide", data={**fields, "csrf": csrf})
        assert response.status_code == 403
    for path in ("undo", "nugget", "split", "label", "gold", "ask"):
        assert ada.client.post(f"/c/{CHANNEL}/{path}", data=fields).status_code == 403, path
    assert ada.client.post("/name", data={"name": "x", "back": "/"}).status_code == 403
    assert rows(database, "select * from adjudications") == []


def test_a_form_from_another_site_is_refused(enter: Enter, database: Database) -> None:
    library.put_library(database, 1)
    ada = enter("Ada")
    fields = {"csrf": ada.csrf(), "kind": "question", "item_id": "fc-00000000", "decision": "keep"}
    for origin in ("https://evil.example", "null"):
        sent = ada.client.post(f"/c/{CHANNEL}/decide", data=fields, headers={"origin": origin})
        assert sent.status_code == 403
    sent = ada.client.post(f"/c/{CHANNEL}/decide", data=fields, headers={"origin": "http://testserver"})
    assert sent.status_code == 200


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", ""])
def test_naming_oneself_leads_nowhere_else(enter: Enter, back: str) -> None:
    ada = enter("Ada")
    sent = ada.client.post("/name", data={"csrf": ada.csrf(), "name": "Eve", "back": back}, follow_redirects=False)
    assert sent.headers["location"] == "/"


def test_hostile_text_is_shown_as_text_on_every_page(enter: Enter, project: Project, database: Database) -> None:
    library.put_library(database, 20)
    library.put_runs(database, project.settings)
    library.put_gold(database)
    library.put_pairs(database)
    ada = enter(f"Ada {library.SCRIPT}")
    shown = 0
    for path in PAGES:
        response = ada.client.get(f"/c/{CHANNEL}{path}")
        assert response.status_code == 200, (path, response.text[-300:])
        assert "<script>alert" not in response.text, path
        shown += "&lt;script&gt;alert" in response.text
        assert not re.search(r"<script(?! src=\"/static/)|<style| style=| on\w+=", response.text), path
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert response.headers["cache-control"] == "no-store"
        assert response.headers["x-content-type-options"] == "nosniff"
    assert shown >= 13  # every page with text of the library, and the person's name on all
    assert "<script>" not in ada.get("/window?text=%3Cscript%3E")


def test_links_into_videos_are_web_addresses_only(enter: Enter, database: Database) -> None:
    library.put_library(database, 1)
    with database.begin() as connection:
        connection.exec_driver_sql("update videos set url = 'javascript:alert(1)' where video_id = 'v1'")
    ada = enter("Ada")
    assert "javascript:" not in ada.get(f"/c/{CHANNEL}/videos/v1")
    assert "javascript:" not in ada.get(f"/c/{CHANNEL}/questions/fc-00000000")
    assert "https://v.example/w?v=v2&amp;t=30s" in ada.get(f"/c/{CHANNEL}/videos/v2")


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/"])
def test_no_file_of_the_program_is_served(enter: Enter, path: str) -> None:
    assert enter("Ada").client.get(path).status_code == 404


def test_what_is_not_there_says_so(enter: Enter, database: Database) -> None:
    library.put_library(database, 1)
    ada = enter("Ada")
    assert "No channel `other`" in ada.get("/c/other/questions", 400)
    for path in (
        "questions/fc-x",
        "nuggets/fc-x",
        "videos/x",
        "chunks/x:00000",
        "threads/x",
        "ask/x",
        "label?pair=x",
    ):
        ada.get(f"/c/{CHANNEL}/{path}", 404)
    assert "No run `x`" in ada.get(f"/c/{CHANNEL}/trail?run=x&question=y", 400)
