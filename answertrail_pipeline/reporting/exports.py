"""Files for other people's tools: nuggetizer JSON lines and TREC run and qrels files."""

from collections.abc import Iterable
from pathlib import Path

from sqlalchemy import text

from answertrail_pipeline.reporting.nuggetizer import assignment_lines, nugget_lines
from answertrail_pipeline.reporting.trec import Ranked, qrels_lines, run_lines
from answertrail_pipeline.reporting.words import file_name
from answertrail_pipeline.scoring.build import build_scoreboard
from answertrail_pipeline.scoring.source import DatabaseSource
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database


def export_files(
    database: Database, channel: str, settings: Settings, folder: Path, gold_version: str | None = None
) -> list[Path]:
    """Write nuggets, assignments, qrels and runs of every run on the scoreboard; return the files.

    `nuggets.jsonl` and `assignments/RUN.jsonl` are castorini/nuggetizer's, `qrels.txt` and `runs/RUN.txt` TREC's.

    Raises:
        UserError: there is no run to score.
    """
    source = DatabaseSource(database, channel, settings)
    board = build_scoreboard(source, gold_version)
    gold = source.gold(board.gold_version)
    written = [
        _write(folder / "nuggets.jsonl", nugget_lines(gold)),
        _write(folder / "qrels.txt", qrels_lines(gold)),
    ]
    scored = {run_key for arm in board.arms for run_key in arm.runs}
    for run in source.runs():
        if run.run_key not in scored:
            continue
        with database.begin() as connection:
            answers = connection.execute(
                text("select question_id, answer from trails where run_key = :run_key"), {"run_key": run.run_key}
            )
            said = {row.question_id: row.answer or "" for row in answers}
            found = connection.execute(
                text("select question_id, chunk_id, first_step, rank from trail_chunks where run_key = :run_key"
                     " order by question_id, first_step, rank, chunk_id"),
                {"run_key": run.run_key},
            )  # fmt: skip
            retrieved = [Ranked(*row) for row in found]
        name = file_name(run.run_key.partition("/")[2].replace("/", "."))
        lines = assignment_lines(gold, run.run_key, said, source.verdicts(run))
        written.append(_write(folder / "assignments" / f"{name}.jsonl", lines))
        written.append(_write(folder / "runs" / f"{name}.txt", run_lines(run.run_key, retrieved)))
    return written


def _write(path: Path, lines: Iterable[str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)
    return path
