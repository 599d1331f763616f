"""Gold versions: frozen, numbered answer keys. A later change is a new version; a stored one is never edited."""

import json
import re

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.corpus.snapshot import snapshot
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.tasks.registry import all_tasks

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


def freeze(database: Database, channel: str, name: str | None = None, policy: str = "people") -> GoldVersion:
    """Freeze the kept and segregated questions with their kept nuggets.

    The same questions under the same policy are the same version, whatever was uploaded since.

    Args:
        name: of the new version; the next of v1, v2, ... where None.
        policy: who decided: `people`, or `auto`.

    Raises:
        UserError: nothing is kept; an item is not decided; a kept question has no nugget; the name is taken or
            is no slug.
    """
    corpus = snapshot(database, channel)
    with database.begin() as connection:
        connection.execute(
            text("select pg_advisory_xact_lock(hashtext('gold'), hashtext(:channel))"), {"channel": channel}
        )
        questions = _read_questions(connection, channel)
        _refuse_unready(connection, channel, questions)
        gold = GoldVersion(
            channel=channel,
            gold_version=name or "",
            as_of=corpus.last_date,
            corpus_id=corpus.corpus_id,
            policy="auto" if policy == "auto" else "people",
            reviewers=_reviewers(connection, channel),
            task_hashes={task.name: task.prompt_hash for task in all_tasks()},
            evidence=_evidence(connection, channel, questions),
            questions=questions,
        )
        known = _stored(connection, channel)
        same = next((each for each in known if _content_hash(each) == _content_hash(gold)), None)
        if same is not None and name in (None, same.gold_version):
            return same
        gold = gold.model_copy(update={"gold_version": name or _next_name(known)})
        _store(connection, gold)
    return gold


def load_gold(database: Database, channel: str, name: str | None = None) -> GoldVersion | None:
    """Return a gold version, or the newest where no name is given; None where there is none."""
    with database.begin() as connection:
        known = _stored(connection, channel)
    if name is None:
        return known[-1] if known else None
    return next((gold for gold in known if gold.gold_version == name), None)


def list_gold(database: Database, channel: str) -> list[GoldVersion]:
    """Return all gold versions of a channel, oldest first."""
    with database.begin() as connection:
        return _stored(connection, channel)


def store_gold(database: Database, gold: GoldVersion) -> None:
    """Store a gold version that was made elsewhere; storing it again changes nothing.

    Raises:
        UserError: the name is taken by other content, or the version does not hold together.
    """
    check_gold(gold)
    with database.begin() as connection:
        _store(connection, gold)


def check_gold(gold: GoldVersion) -> None:
    """Refuse a gold version that does not hold together.

    Raises:
        UserError: duplicate ids (with both positions), or no question at all.
    """
    if not gold.questions:
        raise UserError(f"Gold {gold.gold_version} has no question.", "Keep at least one question.")
    _refuse_duplicates("question", [question.question_id for question in gold.questions])
    for question in gold.questions:
        _refuse_duplicates(
            f"nugget of question {question.question_id}", [nugget.nugget_id for nugget in question.nuggets]
        )


def _refuse_duplicates(what: str, ids: list[str]) -> None:
    first: dict[str, int] = {}
    for position, each in enumerate(ids, 1):
        if each in first:
            raise UserError(
                f"Duplicate {what}: `{each}` at positions {first[each]} and {position}.", "Give each its own id."
            )
        first[each] = position


def _read_questions(connection: Connection, channel: str) -> tuple[GoldQuestion, ...]:
    nuggets: dict[str, list[GoldNugget]] = {}
    for row in connection.execute(text(read_sql("queries/kept_nuggets.sql")), {"channel": channel}).mappings():
        values = {key: value for key, value in row.items() if key != "question_id"}
        nuggets.setdefault(row["question_id"], []).append(GoldNugget(**values))
    rows = connection.execute(text(read_sql("queries/kept_questions.sql")), {"channel": channel}).mappings()
    return tuple(GoldQuestion(**row, nuggets=tuple(nuggets.get(row["question_id"], ()))) for row in rows)


def _refuse_unready(connection: Connection, channel: str, questions: tuple[GoldQuestion, ...]) -> None:
    if not questions:
        raise UserError(f"No question of {channel} is kept.", "Decide in `answertrail workbench` first.")
    open_items = connection.execute(text(read_sql("queries/open_items.sql")), {"channel": channel}).scalars().all()
    if open_items:
        raise UserError(
            f"{len(open_items)} items of {channel} are not decided, such as {open_items[0]}.",
            "Keep or cut each of them, then freeze.",
        )
    bare = [question.question_id for question in questions if question.state == "kept" and not question.nuggets]
    if bare:
        raise UserError(
            f"{len(bare)} kept questions have no kept nugget, such as {bare[0]}.",
            "Keep a nugget of each, or cut the question.",
        )


def _evidence(connection: Connection, channel: str, questions: tuple[GoldQuestion, ...]) -> dict[str, str]:
    cited = {chunk_id for question in questions for chunk_id in question.chunk_ids}
    cited |= {c for question in questions for nugget in question.nuggets for c in nugget.chunk_ids}
    rows = connection.execute(
        text(read_sql("queries/evidence_texts.sql")), {"channel": channel, "ids": sorted(cited)}
    )
    return {row.chunk_id: row.text for row in rows}


def _reviewers(connection: Connection, channel: str) -> tuple[str, ...]:
    rows = connection.execute(
        text("select distinct reviewer from adjudications where channel = :channel order by 1"),
        {"channel": channel},
    )
    return tuple(rows.scalars())


def _stored(connection: Connection, channel: str) -> list[GoldVersion]:
    rows = connection.execute(
        text("select content from gold_versions where channel = :channel order by frozen_at, gold_version"),
        {"channel": channel},
    )
    return [GoldVersion.model_validate(content) for content in rows.scalars()]


def _store(connection: Connection, gold: GoldVersion) -> None:
    if not NAME.fullmatch(gold.gold_version):
        raise UserError(f"`{gold.gold_version}` is no name for a gold version.", "Use a-z, 0-9 and -, such as v2.")
    taken = next(
        (each for each in _stored(connection, gold.channel) if each.gold_version == gold.gold_version), None
    )
    if taken is not None:
        if _content_hash(taken) == _content_hash(gold):
            return
        raise UserError(
            f"Gold {gold.gold_version} of {gold.channel} is frozen with other content.", "Choose another name."
        )
    content = json.loads(gold.model_dump_json())
    row = {
        "channel": gold.channel,
        "gold_version": gold.gold_version,
        "as_of": gold.as_of,
        "corpus_id": gold.corpus_id,
        "policy": gold.policy,
        "content": Jsonb(content),
        "content_sha256": fingerprint(content),
    }
    insert_rows(connection, "gold_versions", [row])


def _content_hash(gold: GoldVersion) -> str:
    """Return the fingerprint of what makes a version another: its questions and who decided."""
    return fingerprint(gold.policy, [json.loads(question.model_dump_json()) for question in gold.questions])


def _next_name(known: list[GoldVersion]) -> str:
    taken = {gold.gold_version for gold in known}
    number = 1
    while f"v{number}" in taken:
        number += 1
    return f"v{number}"
