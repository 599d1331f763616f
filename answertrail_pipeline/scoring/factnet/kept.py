"""The numbers of a channel's declared pool, kept for whoever reads them: the biographies' part of `scoreboard`."""

from dataclasses import replace

from pydantic import TypeAdapter
from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.versions import load_gold
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.scoring.factnet.board import Board, load_board
from answertrail_pipeline.scoring.factnet.relabelled import person_agreement
from answertrail_pipeline.scoring.factnet.stage import POOLS, declared_pool
from answertrail_pipeline.scoring.metrics import resampling
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import join_key
from answertrail_pipeline.store.rows import replace_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Unit

BIOGRAPHIES = "biographies"
_BOARD: TypeAdapter[Board] = TypeAdapter(Board)


def biographies_key(channel: str) -> str:
    """Return the key of the unit in the stages `scoreboard` and `report`."""
    return join_key(channel, BIOGRAPHIES)


def biography_units(database: Database, channel: str, settings: Settings) -> list[Unit]:
    """Return the one unit of a channel's declared pool, once the pool is made; none where no set is declared."""
    pool = declared_pool(database, settings, channel)
    if pool is None:
        return []
    with database.begin() as connection:
        rows = connection.execute(
            text(read_sql("queries/pool_inputs.sql")),
            {"channel": channel, "prefix": f"{join_key(channel, pool.pool_id[:16])}/",
             "judge_id": pool.judge_id, "runs": list(pool.run_keys)},
        ).all()  # fmt: skip
    made = [list(row) for row in rows]
    people = [row for row in rows if row.what == POOLS]
    waiting = [row for row in people if row.state != "done"]
    if not people:
        return []
    how = settings.scoring.model_dump(mode="json")
    blocked = f"{waiting[0].key} is {waiting[0].state}; {len(waiting)} such in all" if waiting else None
    return [Unit(biographies_key(channel), fingerprint(pool.pool_id, made, how), blocked)]


def compute_biographies(database: Database, channel: str, settings: Settings) -> Computed:
    """Make the board of a channel's declared pool."""
    board = biography_board(database, channel, settings)
    content = _BOARD.dump_json(board).decode()
    digest = fingerprint(content)
    row = {"channel": channel, "pool_id": board.pool_id, "content": content, "content_sha256": digest}
    return Computed(
        digest,
        lambda connection: replace_rows(connection, "biography_boards", {"channel": channel}, [row]),
        counts={"arms": len({row.arm for row in board.rows}), "people": len(board.truth)},
    )


def biography_board(database: Database, channel: str, settings: Settings) -> Board:
    """Return the board of a channel's declared pool from stored verdicts; no model is asked.

    Raises:
        UserError: no set of runs is declared, or its pool is not made yet.
    """
    pool = declared_pool(database, settings, channel)
    gold = load_gold(database, channel, pool.base_version) if pool else None
    if pool is None or gold is None:
        raise UserError(f"No pool is declared in {channel}.", "Make one with `answertrail politnuggets run`.")
    how = resampling(settings.scoring)
    board = load_board(database, channel, pool.pool_id, how, settings.scoring.min_kappa)
    with database.begin() as connection:
        return replace(board, by_person=person_agreement(connection, gold, pool))


def load_kept_board(connection: Connection, channel: str) -> Board | None:
    """Return the board that the stage kept; None where there is none."""
    content = connection.execute(
        text("select content from biography_boards where channel = :channel"), {"channel": channel}
    ).scalar()
    return _BOARD.validate_json(content) if content is not None else None
