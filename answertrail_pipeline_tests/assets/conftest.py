"""Dagster's instance keeps its own tables in a database of its own."""

from collections.abc import Iterator

import pytest

from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.postgres import EmbeddedPostgres
from answertrail_pipeline_tests.conftest import new_database


@pytest.fixture
def database(server: EmbeddedPostgres) -> Iterator[Database]:
    """A database with the newest schema, and an empty one for Dagster beside it."""
    with new_database(server, dagster=True) as made:
        yield made
