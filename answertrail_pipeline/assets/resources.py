"""The one resource: the project of a configuration file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from answertrail_pipeline.pipeline.project import Project, open_project
from answertrail_pipeline.store.database import DatabaseLostError

RETRIES, RETRY_SECONDS = 10, 15


class ProjectResource(dg.ConfigurableResource[None]):
    """Opens the project anew for each step, so that a long-lived process holds no connection between them.

    Attributes:
        config: path of `answertrail.toml`; found by `ANSWERTRAIL_CONFIG` or the working folder where empty.
    """

    config: str = ""

    @contextmanager
    def open(self) -> Iterator[Project]:
        """Open the project for the length of a step; a step whose database is lost is tried again later."""
        try:
            with open_project(Path(self.config) if self.config else None) as project:
                yield project
        except DatabaseLostError as error:
            raise dg.RetryRequested(max_retries=RETRIES, seconds_to_wait=RETRY_SECONDS) from error
