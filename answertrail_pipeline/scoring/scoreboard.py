"""The scoreboard of a channel, made from its stored verdicts and kept for whoever reads it."""

from dataclasses import astuple

from pydantic import ValidationError
from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.scoring.board import Scoreboard, to_bytes
from answertrail_pipeline.scoring.build import build_scoreboard
from answertrail_pipeline.scoring.factnet.kept import biographies_key, biography_units, compute_biographies
from answertrail_pipeline.scoring.source import DatabaseSource
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import replace_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Gate, Stage, Unit

CODE_VERSION = "5"


def scoreboard(
    database: Database, channel: str, settings: Settings, gold_version: str | None = None
) -> Scoreboard:
    """Return the scoreboard of a channel from its stored verdicts; no model is asked.

    Args:
        gold_version: the newest with runs where None.

    Raises:
        UserError: there is no run to score on it.
    """
    return build_scoreboard(DatabaseSource(database, channel, settings), gold_version)


def scoreboard_stage(database: Database, channel: str, settings: Settings) -> Stage:
    """Return the stage that keeps the channel's scoreboard.

    Its units are the channel, once a run in prose is scored, and `channel/biographies`, once a pool is made.
    """

    def units() -> list[Unit]:
        with database.begin() as connection:
            made_from = connection.execute(text(read_sql("queries/score_inputs.sql")), {"channel": channel}).all()
        careers = biography_units(database, channel, settings)
        if not any(row.stage == "metrics" and row.state == "done" for row in made_from):
            return careers
        source = DatabaseSource(database, channel, settings)
        registration = source.registration()
        registered = registration.model_dump(mode="json") if registration else None
        labels = [list(astuple(pair)) for pair in source.labels()]
        checks = [list(astuple(check)) for check in source.checks()]
        uses = [list(use) for use in source.uses()]
        how = settings.scoring.model_dump(mode="json")
        made = fingerprint([list(row) for row in made_from], registered, labels, checks, uses, how)
        return [Unit(channel, made), *careers]

    async def compute(unit: Unit) -> Computed:
        if unit.key == biographies_key(channel):
            return compute_biographies(database, channel, settings)
        return _computed(scoreboard(database, channel, settings))

    return Stage("scoreboard", channel, CODE_VERSION, units, compute)


def _computed(board: Scoreboard) -> Computed:
    content = to_bytes(board).decode()
    digest = fingerprint(content)

    def write(connection: Connection) -> None:
        row = {"channel": board.channel, "content": content, "content_sha256": digest}
        replace_rows(connection, "scoreboards", {"channel": board.channel}, [row])

    wrong = board.broken_identities
    return Computed(
        digest,
        write,
        counts={"arms": len(board.arms), "comparisons": len(board.comparisons), "left_out": len(board.left_out)},
        gates=[
            Gate(
                "score_identities",
                not wrong,
                "; ".join(wrong) or "The numbers of every arm agree with each other.",
                blocking=True,
            )
        ],
    )


def load_scoreboard(connection: Connection, channel: str) -> Scoreboard:
    """Return the scoreboard that the stage kept.

    Raises:
        UserError: there is none yet, or another version of the program made it.
    """
    content = connection.execute(
        text("select content from scoreboards where channel = :channel"), {"channel": channel}
    ).scalar()
    if content is None:
        raise UserError(f"No scoreboard of {channel} yet.", "Make one with `answertrail run`.")
    try:
        return Scoreboard.model_validate_json(content)
    except ValidationError as error:
        raise UserError(
            f"The scoreboard of {channel} was made by another version.", "Make it anew with `answertrail run`."
        ) from error
