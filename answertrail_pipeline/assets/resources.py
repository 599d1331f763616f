"""The one resource: the project of a configuration file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from answertrail_pipeline.pipeline.project import Project, open_project


class ProjectResource(dg.ConfigurableResource[None]):
    """Opens the project anew for each step, so that a long-lived process holds no connection between them.

    Attributes:
        config: path of `answertrail.toml`; found by `ANSWERTRAIL_CONFIG` or the working folder where empty.
    """

    config: str = ""

    @contextmanager
    def open(self) -> Iterator[Project]:
        """Open the project for the length of a step."""
        with open_project(Path(self.config) if self.config else None) as project:
            yield project
