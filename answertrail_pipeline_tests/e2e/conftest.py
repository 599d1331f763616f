"""A project on a database of the session's server, so that each test starts from nothing in a moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from answertrail_pipeline.gold.versions import store_version
from answertrail_pipeline.pipeline.project import Project, open_project
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.postgres import EmbeddedPostgres
from answertrail_pipeline_tests.conftest import new_database
from answertrail_pipeline_tests.e2e.library import gold_version, write_config, write_library

if TYPE_CHECKING:
    from answertrail_pipeline_tests.e2e.orchestra import Orchestra


@pytest.fixture
def database(server: EmbeddedPostgres) -> Iterator[Database]:
    """A database with the newest schema, and an empty one for Dagster beside it."""
    with new_database(server, dagster=True) as made:
        yield made


@pytest.fixture
def second_database(server: EmbeddedPostgres) -> Iterator[Database]:
    """Two more, to compare with."""
    with new_database(server, dagster=True) as made:
        yield made


class Workplace:
    """A project folder with captions and a configuration, opened as often as a test likes."""

    def __init__(self, root: Path, database: Database) -> None:
        self.root = root
        self.urls = {
            "DATABASE_URL": database.engine.url.render_as_string(hide_password=False),
            "ANSWERTRAIL_DAGSTER_URL": database.dagster_url.render_as_string(hide_password=False),
        }
        self.captions = root / "captions"

    @contextmanager
    def open(self) -> Iterator[Project]:
        """Open the project."""
        with open_project(self.root / "answertrail.toml") as project:
            yield project

    def freeze(self) -> None:
        """Store the library's hand-written gold, as people would have frozen it."""
        with self.open() as project, project.database.begin() as connection:
            store_version(connection, gold_version("bridges"), "v1")

    @contextmanager
    def environment(self) -> Iterator[None]:
        """Point the environment at this workplace's database."""
        with pytest.MonkeyPatch.context() as patch:
            for name, url in self.urls.items():
                patch.setenv(name, url)
            yield


def make_workplace(root: Path, database: Database) -> Workplace:
    root.mkdir(exist_ok=True)
    write_library(root / "captions")
    write_config(root)
    return Workplace(root, database)


@pytest.fixture
def workplace(tmp_path: Path, database: Database) -> Iterator[Workplace]:
    """Six videos and two arms, not yet run; the environment points at its database."""
    made = make_workplace(tmp_path / "one", database)
    with made.environment():
        yield made


@pytest.fixture
def second_workplace(tmp_path: Path, second_database: Database) -> Workplace:
    """Another of the same, on a database of its own."""
    return make_workplace(tmp_path / "two", second_database)


@pytest.fixture
def orchestra(workplace: Workplace) -> "Iterator[Orchestra]":
    """Dagster over the workplace, on an instance that ends with the test."""
    import dagster as dg

    from answertrail_pipeline_tests.e2e.orchestra import Orchestra

    with dg.DagsterInstance.ephemeral() as instance:
        yield Orchestra(workplace, instance)
