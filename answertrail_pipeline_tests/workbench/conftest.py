"""A workbench over a filled database, and somebody who came in by the start-up link."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.workbench.access import Access
from answertrail_pipeline.workbench.app import build_app
from answertrail_pipeline_tests.workbench import library

Enter = Callable[[str], "Person"]


class Person:
    """Somebody at a browser without JavaScript."""

    def __init__(self, client: TestClient, name: str) -> None:
        self.client = client
        self.name = name

    def get(self, path: str, status: int = 200) -> str:
        response = self.client.get(path)
        assert response.status_code == status, (path, response.status_code, response.text[-400:])
        return response.text

    def csrf(self) -> str:
        found = re.search(r'name="csrf" value="(\w+)"', self.client.get("/name").text)
        assert found
        return found.group(1)

    def post(self, path: str, status: int = 200, **fields: str) -> str:
        response = self.client.post(path, data={"csrf": self.csrf(), **fields})
        assert response.status_code == status, (path, response.status_code, response.text[-400:])
        return response.text

    def submit(self, page: str, action: str, button: tuple[str, str] | None = None, **typed: str) -> str:
        """Send the first form of a page that goes to an address and holds the button, as a browser would."""
        for form in re.findall(r"<form[^>]*action=\"([^\"]*)\"[^>]*>(.*?)</form>", page, re.DOTALL):
            held = f'name="{button[0]}" value="{button[1]}"' if button else ""
            if form[0].endswith(action) and held in form[1]:
                fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[1]))
                fields |= dict([button] if button else []) | typed
                response = self.client.post(form[0], data=fields)
                return response.text
        raise AssertionError(f"no form to {action} with {button}")


@pytest.fixture
def project(database: Database, tmp_path: Path) -> Project:
    """A project of the library."""
    settings = library.write_config(tmp_path)
    return Project(settings, database, Door(database, settings))


@pytest.fixture
def enter(project: Project) -> Iterator[Enter]:
    """Return a function that opens a browser for a person; all of them at one workbench."""
    app = build_app(project, access := Access(hosts=("testserver",)))
    opened: list[TestClient] = []

    def open_browser(name: str) -> Person:
        client = TestClient(app)
        if not opened:
            client.__enter__()  # the first one runs the application's life
        opened.append(client)
        client.get(f"/?token={access.token}")
        person = Person(client, name)
        if name:
            person.post("/name", name=name, back="/")
        return person

    yield open_browser
    if opened:
        opened[0].__exit__(None, None, None)
