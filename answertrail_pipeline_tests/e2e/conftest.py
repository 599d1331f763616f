"""A project on a database of the session's server, so that each test starts from nothing in a moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from answertrail_pipeline.gold.versions import store_version
from answertrail_pipeline.pipeline.project import Project, open_project
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.e2e.library import gold_version, write_config, write_library


class Workplace:
    """A project folder with captions and a configuration, opened as often as a test likes."""

    def __init__(self, root: Path) -> None:
        self.root = root
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

    def counts(self) -> dict[str, int]:
        """Return how many units of each stage are finished."""
        with self.open() as project, project.database.begin() as connection:
            rows = connection.execute(
                text("select stage, count(*) from stage_run where state in ('done', 'unscored') group by stage")
            )
            return dict(rows.tuples().all())


@pytest.fixture
def workplace(tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    """Six videos and two arms, not yet run."""
    monkeypatch.setenv("DATABASE_URL", database.engine.url.render_as_string(hide_password=False))
    write_library(tmp_path / "captions")
    write_config(tmp_path)
    return Workplace(tmp_path)
