"""The stage `report`: the scoreboard written down for people, whenever it has changed."""

import subprocess
from dataclasses import replace
from pathlib import Path

from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.hashing import fingerprint, text_sha256
from answertrail_pipeline.reporting import biographies
from answertrail_pipeline.reporting.details import load_details
from answertrail_pipeline.reporting.write import ReportPaths, write_report
from answertrail_pipeline.scoring.factnet.kept import biographies_key, load_kept_board
from answertrail_pipeline.scoring.scoreboard import load_scoreboard
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit, output_hashes

CODE_VERSION = "4"


def report_folder(settings: Settings, channel: str) -> Path:
    """Return where the report of a channel lies."""
    return settings.data_dir / "reports" / channel


def make_report(database: Database, channel: str, settings: Settings) -> ReportPaths:
    """Write the report of a channel from the scoreboard that is kept, whether it has changed or not.

    Raises:
        UserError: there is no scoreboard yet.
    """
    with database.begin() as connection:
        board = load_scoreboard(connection, channel)
    loaded = load_details(database, board, _title(settings, channel), code_commit())
    details = replace(loaded, workbench=settings.workbench.address)
    return write_report(board, details, report_folder(settings, channel))


def report_stage(database: Database, channel: str, settings: Settings) -> Stage:
    """Return the stage that writes the report's files.

    Its units are the channel, once it has a scoreboard, and `channel/biographies`, once careers are scored.

    A deleted file does not make it due; `make_report` writes all files anew.
    """

    def units() -> list[Unit]:
        with database.begin() as connection:
            made = output_hashes(connection, "scoreboard", channel)
            series = output_hashes(connection, "series", channel)
        words = [_title(settings, channel), settings.workbench.address]
        careers = biographies_key(channel)
        units = [Unit(channel, fingerprint(made[channel], series, *words))] if channel in made else []
        return [*units, Unit(careers, fingerprint(made[careers], *words))] if careers in made else units

    async def compute(unit: Unit) -> Computed:
        if unit.key == biographies_key(channel):
            return _write_careers(database, channel, settings)
        paths = make_report(database, channel, settings)
        return Computed(
            text_sha256(paths.html.read_text("utf-8")),
            lambda _connection: None,
            counts={"figures": len(paths.figures), "tables": len(paths.tables)},
        )

    return Stage("report", channel, CODE_VERSION, units, compute)


def _write_careers(database: Database, channel: str, settings: Settings) -> Computed:
    with database.begin() as connection:
        board = load_kept_board(connection, channel)
    if board is None:
        raise UnitError("no_board", f"no board of careers is kept for {channel}")
    paths = biographies.write_report(board, report_folder(settings, channel))
    digest = fingerprint([text_sha256(path.read_text("utf-8")) for path in paths])
    return Computed(digest, lambda _connection: None, counts={"files": len(paths)})


def _title(settings: Settings, channel: str) -> str:
    return settings.channels[channel].title if channel in settings.channels else ""


def code_commit() -> str | None:
    """Return the commit of the code that runs, and whether it was changed since; None outside a checkout."""
    here = Path(__file__).resolve().parent
    try:
        commit = _git(here, "rev-parse", "--short=12", "HEAD")
        changed = _git(here, "status", "--porcelain", "--untracked-files=all", "--", str(here.parent))
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{commit}, changed since" if changed else commit


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout.strip()
