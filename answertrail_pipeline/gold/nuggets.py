"""The stage `nuggets`: the atomic facts that an answer must state, for kept questions only."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.gold.gates import gives_away
from answertrail_pipeline.gold.review import nugget_warnings
from answertrail_pipeline.gold.store import StoredClaim, chunk_texts, claims_by_id
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import join_key, split_key
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Gate, Stage, Unit
from answertrail_pipeline.tasks.run_task import run_task
from answertrail_pipeline.tasks.write_nuggets import (
    WRITE_NUGGETS,
    AnsweringClaim,
    WriteNuggetsInput,
    WrittenNugget,
)
from answertrail_pipeline.time_windows import Window, parse_window

CODE_VERSION = "1"


def nuggets_stage(database: Database, door: Door, channel: str, settings: Settings) -> Stage:
    """Return the stage `nuggets`: one unit for each kept question and each trap that was written from claims.

    A decided nugget is never replaced; proposals that nobody decided on are.
    """
    role = settings.models.nuggets
    language = settings.channel(channel).language

    def units() -> Sequence[Unit]:
        with database.begin() as connection:
            questions = _questions(connection, channel)
            texts = _claim_texts(connection, channel, questions)
        return [
            Unit(
                join_key(channel, question.question_id),
                fingerprint(
                    question.text,
                    [[key, texts.get(key)] for key in question.claim_ids],
                    question.detail.get("statements", []),
                    WRITE_NUGGETS.prompt_hash,
                    role.model_dump(mode="json"),
                ),
            )
            for question in questions
        ]

    async def compute(unit: Unit) -> Computed:
        (_, question_id) = split_key(unit.key)
        with database.begin() as connection:
            (question,) = (q for q in _questions(connection, channel) if q.question_id == question_id)
            claims = claims_by_id(connection, channel, question.claim_ids)
            chunks = chunk_texts(connection, channel, [chunk for claim in claims for chunk in claim.chunk_ids])
            last = connection.execute(
                text("select max(published_at)::date from videos where channel = :channel"), {"channel": channel}
            ).scalar()
        given = WriteNuggetsInput(
            tier=question.tier,
            question=question.text,
            claims=tuple(AnsweringClaim(day=claim.day, text=claim.text) for claim in claims),
            language=language,
            statements=tuple(question.detail.get("statements", ())),
            unchanged=bool(question.detail.get("trap")),
        )
        done = await run_task(door, WRITE_NUGGETS, given, role, Account(channel, "nuggets", unit.key))
        rows = [
            _row(channel, question_id, number, nugget, claims, chunks, language, last, done.model)
            for number, nugget in enumerate(done.output.nuggets, 1)
        ]
        given_away = gives_away(question.text, [str(row["text"]) for row in rows], language)
        gates = (
            [Gate("gives_away", False, given_away.message)] if given_away and question.tier == "factual" else []
        )

        def write(connection: Connection) -> None:
            _replace(connection, channel, question_id, rows)
            _mark_given_away(connection, channel, question_id, bool(gates))

        return Computed(
            fingerprint([[row["kind"], row["text"], row["window_text"], row["claim_ids"]] for row in rows]),
            write,
            counts={"nuggets": len(rows)},
            gates=gates,
        )

    return Stage("nuggets", channel, CODE_VERSION, units, compute, settings.models.max_concurrency)


def _questions(connection: Connection, channel: str) -> list[Any]:
    rows = connection.execute(text(read_sql("queries/questions_to_answer.sql")), {"channel": channel})
    return list(rows)


def _claim_texts(connection: Connection, channel: str, questions: Sequence[Any]) -> dict[str, str]:
    wanted = sorted({key for question in questions for key in question.claim_ids})
    return {claim.claim_id: claim.text for claim in claims_by_id(connection, channel, wanted)}


def _row(
    channel: str,
    question_id: str,
    number: int,
    nugget: WrittenNugget,
    claims: Sequence[StoredClaim],
    chunks: Mapping[str, str],
    language: str,
    last: date | None,
    model: str,
) -> dict[str, Any]:
    cited = [claims[index] for index in dict.fromkeys(nugget.claims)]
    chunk_ids = list(dict.fromkeys(chunk for claim in cited for chunk in claim.chunk_ids))
    warnings = nugget_warnings(nugget, cited, [chunks[key] for key in chunk_ids if key in chunks], language)
    window = _window(nugget.window, last)
    return {
        "channel": channel,
        "question_id": question_id,
        "nugget_id": f"n{number}",
        "kind": nugget.kind,
        "text": " ".join(nugget.text.split()),
        "window_text": nugget.window,
        "window_from": window.start if window else None,
        "window_to": window.end if window else None,
        "claim_ids": [claim.claim_id for claim in cited],
        "chunk_ids": chunk_ids,
        "detail": Jsonb(
            {
                "days": [claim.day.isoformat() for claim in cited],
                "warnings": [{"gate": warned.gate, "message": warned.message} for warned in warnings],
            }
        ),
        "written_by": model,
    }


def _window(written: str | None, last: date | None) -> Window | None:
    if written is None:
        return None
    return parse_window(written, last=last) if last else parse_window(written)


def _replace(connection: Connection, channel: str, question_id: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Put the new proposals in the place of those nobody decided on; a decided nugget keeps its number."""
    where = {"channel": channel, "question_id": question_id}
    decided = set(connection.execute(text(read_sql("queries/decided_nuggets.sql")), where).scalars())
    kept = connection.execute(
        text("select nugget_id, text from nuggets where channel = :channel and question_id = :question_id"), where
    ).all()
    known = {row.text for row in kept if row.nugget_id in decided}
    connection.execute(
        text(
            "delete from nuggets where channel = :channel and question_id = :question_id"
            " and not nugget_id = any(:decided)"
        ),
        {**where, "decided": sorted(decided)},
    )
    taken = max((int(key.lstrip("n")) for key in decided if key.lstrip("n").isdigit()), default=0)
    fresh = [row for row in rows if row["text"] not in known]
    insert_rows(connection, "nuggets", [{**row, "nugget_id": f"n{taken + i}"} for i, row in enumerate(fresh, 1)])


def _mark_given_away(connection: Connection, channel: str, question_id: str, given_away: bool) -> None:
    """Mark a kept question whose nuggets are all given away: it returns to review and freezing refuses it."""
    connection.execute(
        text(
            "update questions"
            " set detail = detail || jsonb_build_object('given_away', cast(:given_away as boolean))"
            " where channel = :channel and question_id = :question_id"
        ),
        {"channel": channel, "question_id": question_id, "given_away": given_away},
    )
