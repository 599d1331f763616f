"""Gold versions: the answer key, frozen, numbered and never changed; a later change makes a new one."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.corpus.snapshot import snapshot
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.adjudication import AUTO, conflicts, waiting
from answertrail_pipeline.gold.store import chunk_texts
from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.tasks.compose_factual import COMPOSE_FACTUAL
from answertrail_pipeline.tasks.compose_longitudinal import COMPOSE_LONGITUDINAL
from answertrail_pipeline.tasks.extract_claims import EXTRACT_CLAIMS
from answertrail_pipeline.tasks.ground_question import GROUND_QUESTION
from answertrail_pipeline.tasks.select_claims import SELECT_CLAIMS
from answertrail_pipeline.tasks.write_nuggets import WRITE_NUGGETS

_TASKS = (EXTRACT_CLAIMS, SELECT_CLAIMS, COMPOSE_FACTUAL, COMPOSE_LONGITUDINAL, GROUND_QUESTION, WRITE_NUGGETS)
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


@dataclass(frozen=True)
class GoldDiff:
    """What a second version has that the first has not, and the other way round; ids of questions and nuggets."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether both hold the same questions and nuggets."""
        return not (self.added or self.removed or self.changed)


def freeze(
    database: Database, channel: str, name: str | None = None, policy: Literal["people", "auto"] = "people"
) -> GoldVersion:
    """Freeze what was kept as a new version; the same content returns the version that holds it already.

    Args:
        name: `v1`, `v2`, ... in order where None.
        policy: `auto` where the policy of that name decided; printed on every number made with the version.

    Raises:
        UserError: something is undecided or contested, a kept question has no nuggets, an id is double, nothing
            was kept, or the name is taken by another content.
    """
    corpus = snapshot(database, channel)
    _refuse_open_items(database, channel)
    with database.begin() as connection:
        connection.execute(
            text("select pg_advisory_xact_lock(hashtext('gold'), hashtext(:channel))"), {"channel": channel}
        )
        questions = _read_questions(connection, channel)
        reviewers = tuple(
            connection.execute(text(read_sql("queries/gold_reviewers.sql")), {"channel": channel}).scalars()
        )
        evidence = chunk_texts(connection, channel, sorted({c for q in questions for c in _evidence(q)}))
        check_gold(channel, questions)
        _check_policy(policy, reviewers)
        gold = GoldVersion(
            channel=channel,
            gold_version=name or "",
            as_of=corpus.last_date,
            corpus_id=corpus.corpus_id,
            policy=policy,
            reviewers=reviewers,
            task_hashes={task.name: task.prompt_hash for task in _TASKS},
            evidence=evidence,
            questions=questions,
        )
        return store_version(connection, gold, name)


def store_version(connection: Connection, gold: GoldVersion, name: str | None) -> GoldVersion:
    """Store a version under a name, or the next number; the same content under no other name is not stored twice.

    Raises:
        UserError: the name is taken by another content, or is none.
    """
    content_sha256 = content_hash(gold)
    rows = connection.execute(
        text("select gold_version, content_sha256, content from gold_versions where channel = :channel"),
        {"channel": gold.channel},
    ).all()
    for row in sorted(rows, key=lambda row: row.gold_version):
        if row.content_sha256 == content_sha256 and name in (None, row.gold_version):
            return GoldVersion.model_validate(row.content)
    taken = {row.gold_version for row in rows}
    chosen = name or f"v{next(n for n in range(1, len(taken) + 2) if f'v{n}' not in taken)}"
    if not _NAME.fullmatch(chosen):
        raise UserError(f"`{chosen}` is no name for a gold version.", "Use lower-case letters, digits and `-`.")
    if chosen in taken:
        raise UserError(
            f"The gold version {chosen} of {gold.channel} is frozen with another content.",
            "Freeze under a new name; `answertrail gold diff` shows what changed.",
        )
    gold = gold.model_copy(update={"gold_version": chosen})
    frozen = {
        "channel": gold.channel,
        "gold_version": chosen,
        "as_of": gold.as_of,
        "corpus_id": gold.corpus_id,
        "policy": gold.policy,
        "content": Jsonb(gold.model_dump(mode="json")),
        "content_sha256": content_sha256,
    }
    insert_rows(connection, "gold_versions", [frozen])
    return gold


def content_hash(gold: GoldVersion) -> str:
    """Return the fingerprint of what scores depend on: the questions, their nuggets, the evidence, the policy."""
    questions = [question.model_dump(mode="json") for question in gold.questions]
    return fingerprint(questions, gold.evidence, gold.policy)


def load_gold(database: Database, channel: str, name: str | None = None) -> GoldVersion | None:
    """Return a version by name, or the newest; None where there is no version at all.

    Raises:
        UserError: a version was named that does not exist.
    """
    with database.begin() as connection:
        rows = connection.execute(
            text(
                "select gold_version, content from gold_versions where channel = :channel"
                " order by frozen_at desc, gold_version desc"
            ),
            {"channel": channel},
        ).all()
    for row in rows:
        if name in (None, row.gold_version):
            return GoldVersion.model_validate(row.content)
    if name is None:
        return None
    known = ", ".join(sorted(row.gold_version for row in rows)) or "none"
    raise UserError(f"No gold version `{name}` of {channel}.", f"There are: {known}.")


def diff_gold(before: GoldVersion, after: GoldVersion) -> GoldDiff:
    """Compare two versions by the ids of their questions and nuggets (`question_id/nugget_id`)."""
    old, new = _flat(before), _flat(after)
    return GoldDiff(
        tuple(sorted(new.keys() - old.keys())),
        tuple(sorted(old.keys() - new.keys())),
        tuple(sorted(key for key in old.keys() & new.keys() if old[key] != new[key])),
    )


def check_gold(channel: str, questions: Sequence[GoldQuestion]) -> None:
    """Refuse what cannot be scored.

    Raises:
        UserError: no question, a kept question without nuggets, a double id, or a stance without a window.
    """
    if not questions:
        raise UserError(f"No question of {channel} is kept.", "Decide on the proposals: `answertrail workbench`.")
    without = [q.question_id for q in questions if q.state == "kept" and not q.nuggets]
    if without:
        raise UserError(
            f"Kept without a nugget: {_some(without)}.",
            "Keep a nugget for each, or cut or segregate the question.",
        )
    doubles = _doubles(q.question_id for q in questions)
    doubles += _doubles(f"{q.question_id}/{n.nugget_id}" for q in questions for n in q.nuggets)
    if doubles:
        raise UserError(f"Ids that occur twice: {_some(doubles)}.", "Give each question and nugget its own id.")
    timeless = [
        f"{q.question_id}/{n.nugget_id}"
        for q in questions
        for n in q.nuggets
        if q.tier == "longitudinal" and n.kind == "stance" and n.window_from is None
    ]
    if timeless:
        raise UserError(f"Stances without a window: {_some(timeless)}.", "Edit each and write its window.")


def _refuse_open_items(database: Database, channel: str) -> None:
    left = waiting(database, channel)
    if left:
        counts = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in left.items())
        contested = "".join(f" {key};" for key in list(conflicts(database, channel))[:3])
        raise UserError(
            f"Not everything of {channel} is decided: {counts}.{contested}",
            "Decide on them first: `answertrail workbench`, or export, edit and import.",
        )


def _check_policy(policy: str, reviewers: Sequence[str]) -> None:
    if policy == "people" and AUTO in reviewers:
        raise UserError(
            f"`{AUTO}` decided on some of what is kept.",
            "Decide on those items yourself, or freeze with the policy `auto`, which every number will name.",
        )


def _read_questions(connection: Connection, channel: str) -> tuple[GoldQuestion, ...]:
    nuggets: dict[str, list[GoldNugget]] = {}
    for row in connection.execute(text(read_sql("queries/gold_nuggets.sql")), {"channel": channel}):
        nuggets.setdefault(row.question_id, []).append(_nugget(row))
    rows = connection.execute(text(read_sql("queries/gold_questions.sql")), {"channel": channel})
    return tuple(
        GoldQuestion(
            question_id=row.question_id,
            tier=row.tier,
            text=row.text,
            state=row.state,
            nuggets=tuple(nuggets.get(row.question_id, ())),
            claim_ids=tuple(row.claim_ids),
            chunk_ids=tuple(row.chunk_ids),
            window_from=row.window_from,
            window_to=row.window_to,
            written_by=row.written_by,
            detail=row.detail,
        )
        for row in rows
    )


def _nugget(row: Any) -> GoldNugget:
    return GoldNugget(
        nugget_id=row.nugget_id,
        kind=row.kind,
        text=row.text,
        window_text=row.window_text,
        window_from=row.window_from,
        window_to=row.window_to,
        claim_ids=tuple(row.claim_ids),
        chunk_ids=tuple(row.chunk_ids),
        written_by=row.written_by,
        detail=row.detail,
    )


def _evidence(question: GoldQuestion) -> list[str]:
    return [*question.chunk_ids, *(chunk for nugget in question.nuggets for chunk in nugget.chunk_ids)]


def _flat(gold: GoldVersion) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for question in gold.questions:
        flat[question.question_id] = [
            question.text,
            question.state,
            str(question.window_from),
            str(question.window_to),
        ]
        for nugget in question.nuggets:
            window: list[date | None] = [nugget.window_from, nugget.window_to]
            flat[f"{question.question_id}/{nugget.nugget_id}"] = [nugget.kind, nugget.text, window]
    return flat


def _doubles(keys: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    return sorted({key for key in keys if key in seen or seen.add(key)})  # type: ignore[func-returns-value]


def _some(keys: Sequence[str]) -> str:
    return ", ".join(keys[:5]) + (f" and {len(keys) - 5} more" if len(keys) > 5 else "")
