"""PolitNuggets from people and documents to a scoreboard: the stages of any channel, over a frozen base."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from answertrail_pipeline.corpus.snapshot import snapshot
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.biographies.base import freeze_base
from answertrail_pipeline.gold.biographies.people import Person, read_people, store_people
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.pipeline.channel_pass import ChannelReport, Pass
from answertrail_pipeline.pipeline.evaluation import chosen_arms
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.watch import Silent, Watcher
from answertrail_pipeline.reporting.biographies import write_report
from answertrail_pipeline.scoring.factnet.board import Board
from answertrail_pipeline.scoring.factnet.kept import load_kept_board
from answertrail_pipeline.store.shipped import shipped

DEMO_CHANNEL = "sanrei"
_DEMO_FILES = ("answertrail.toml", "people.jsonl", "documents.csv", "documents")


@dataclass(frozen=True)
class PolitNuggetsReport:
    """What one pass did and what came out; no board where a person of the pool could not be scored."""

    done: ChannelReport
    board: Board | None = None
    files: tuple[Path, ...] = ()

    @property
    def runs(self) -> list[str]:
        """The runs of the pool."""
        return sorted(self.done.runs)

    @property
    def errors(self) -> dict[str, str]:
        """Every failed unit with its reason."""
        return self.done.errors

    @property
    def pool_id(self) -> str:
        """The pool that the numbers are on; empty without a board."""
        return self.board.pool_id if self.board else ""


async def run_politnuggets(
    project: Project,
    channel: str,
    people_file: Path,
    arms: Sequence[str] = (),
    repetitions: int = 1,
    watcher: Watcher | None = None,
    out: Path | None = None,
) -> PolitNuggetsReport:
    """Import people, bring the corpus up to date, run the arms, judge, pool, score and report.

    The runs of these arms are the declared set from then on.

    Args:
        people_file: CSV or JSONL; the base is made of the JSONL's `events` and of what people promoted.
        arms: those of agent `biography`; all such arms of the configuration where empty.
        out: folder for a copy of the report; none is written there where None.

    Raises:
        UserError: nobody has a base, no arm is a biography arm, or the corpus is empty.
    """
    wanted = _biography_arms(project, arms)
    work = Pass(project, channel, watcher or Silent())
    people = read_people(people_file)
    await work.ingest()
    await work.index()
    gold = _freeze(project, channel, people)
    await work.evaluate(gold, wanted, repetitions, add_to_pool=False)
    await work.score()
    with project.database.begin() as connection:
        board = load_kept_board(connection, channel)
    files = write_report(board, out) if board and out else ()
    return PolitNuggetsReport(work.report, board, tuple(files))


def copy_demo(folder: Path) -> Path:
    """Copy the demonstration into a folder, leaving what is there as it is; return the configuration."""
    source = shipped("examples/politnuggets")
    folder.mkdir(parents=True, exist_ok=True)
    for name in _DEMO_FILES:
        if (folder / name).exists():
            continue
        if (source / name).is_dir():
            shutil.copytree(source / name, folder / name)
        else:
            shutil.copy(source / name, folder / name)
    return folder / "answertrail.toml"


def _freeze(project: Project, channel: str, people: Sequence[Person]) -> GoldVersion:
    corpus = snapshot(project.database, channel)
    with project.database.begin() as connection:
        store_people(connection, channel, people)
        return freeze_base(connection, channel, people, corpus.last_date, corpus.corpus_id)


def _biography_arms(project: Project, arms: Sequence[str]) -> list[str]:
    known = project.settings.arms
    wanted = [name for name in chosen_arms(project, arms) if known[name].agent == "biography"]
    if not wanted:
        raise UserError("No arm of agent `biography` is configured.", 'Add one: agent = "biography".')
    return wanted
