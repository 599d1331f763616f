"""Two people of the PolitNuggets demonstration, as a project of their own."""

import json
from pathlib import Path
from typing import Any

from answertrail_pipeline.models.door import Door
from answertrail_pipeline.pipeline.politnuggets import (
    DEMO_CHANNEL,
    PolitNuggetsReport,
    copy_demo,
    run_politnuggets,
)
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.settings import load_settings
from answertrail_pipeline.store.database import Database

PEOPLE = ("s01", "s03")
CHANNEL = DEMO_CHANNEL


def little_demo(database: Database, folder: Path) -> Project:
    """Return a project with two people and their documents, searched by BM25."""
    config = copy_demo(folder)
    root = config.parent
    keep = [
        line
        for line in (root / "people.jsonl").read_text("utf-8").splitlines()
        if json.loads(line)["person_id"] in PEOPLE
    ]
    (root / "people.jsonl").write_text("\n".join(keep) + "\n", "utf-8")
    wanted = (*PEOPLE, "namesake")
    listed = (root / "documents.csv").read_text("utf-8").splitlines()
    rows = [listed[0], *(row for row in listed if row.split(",")[0].rpartition("-")[2] in wanted)]
    (root / "documents.csv").write_text("\n".join(rows) + "\n", "utf-8")
    config.write_text(config.read_text("utf-8").replace('"hybrid"', '"bm25"').replace('"mul"', '"en"'), "utf-8")
    return open_little(database, config)


def open_little(database: Database, config: Path) -> Project:
    """Return the project of a configuration file over a database."""
    settings = load_settings(config, {})
    return Project(settings, database, Door(database, settings))


def run(project: Project, *arms: str, **more: Any) -> PolitNuggetsReport:
    """Run some arms, or all of them."""
    root = project.settings.root
    work = run_politnuggets(project, CHANNEL, root / "people.jsonl", arms, out=root / "report", **more)
    return project.run(work)
