"""A base made from runs: events that the archives of at least k runs support, where no external base is known."""

from sqlalchemy import Connection

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.biographies.people import load_people
from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion
from answertrail_pipeline.gold.versions import load_gold, store_version
from answertrail_pipeline.scoring.factnet.pools import consolidated_base
from answertrail_pipeline.scoring.factnet.relabelled import known_same
from answertrail_pipeline.scoring.factnet.rows import load_run_rows
from answertrail_pipeline.scoring.factnet.stage import DeclaredPool, declared_pool, matchers
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database

CONSOLIDATED = "consolidated from at least "
"""How the reviewer of such a base begins: a table over it says that it favours the arms it was made from."""


def consolidate(database: Database, settings: Settings, channel: str, at_least: int = 2) -> GoldVersion:
    """Freeze a base made from a channel's declared runs, person by person; the people stay the same.

    Args:
        at_least: how many runs' own archives must support an event; 1 is nearest to the published method.

    Raises:
        UserError: no set is declared, or it has fewer runs.
    """
    pool = declared_pool(database, settings, channel)
    gold = load_gold(database, channel, pool.base_version) if pool else None
    if pool is None or gold is None:
        raise UserError(f"No pool is declared in {channel}.", "Run `answertrail politnuggets run` first.")
    if len(pool.run_keys) < at_least:
        raise UserError(
            f"{len(pool.run_keys)} runs are declared, not {at_least}.", "Run more arms, or ask for fewer."
        )
    by = f"{CONSOLIDATED}{at_least} of {len(pool.run_keys)} runs: {', '.join(pool.run_keys)}"
    with database.begin() as connection:
        questions = tuple(
            question.model_copy(update={"nuggets": _events(connection, pool, question, at_least, by)})
            for question in gold.questions
        )
        made = gold.model_copy(update={"questions": questions, "reviewers": (by,)})
        return store_version(connection, made, None)


def _events(
    connection: Connection, pool: DeclaredPool, question: GoldQuestion, at_least: int, by: str
) -> tuple[GoldNugget, ...]:
    person = load_people(connection, pool.channel)[question.question_id]
    coded = {key: load_run_rows(connection, key, person.person_id, {}) for key in pool.run_keys}
    hashes = {row.event.content_hash for rows in coded.values() for row in rows}
    how = matchers(person, known_same(connection, pool.judge_id, hashes, {}), pool.judge_id).exact
    rows = {
        (row.event.content_hash, " ".join(sorted(row.sources))): row
        for row in consolidated_base(coded, how, at_least)
        if row.event.start
    }
    return tuple(
        GoldNugget(
            nugget_id=f"e{number:02d}",
            kind="event",
            text=row.event.sentence(person.name),
            window_text=str(row.event.start),
            written_by=f"source:{by}",
            detail={"event": row.event.as_json(), "source": sources},
        )
        for number, ((_, sources), row) in enumerate(sorted(rows.items()), 1)
    )
