"""Rows of FactNet from the database: what runs coded and what the base holds, each with the judge's words."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.gold.biographies.base import base_events
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.judging.types import Label
from answertrail_pipeline.language.career_events import Slot, event_from_json
from answertrail_pipeline.scoring.factnet.types import Row
from answertrail_pipeline.store.shipped import read_sql

Words = Mapping[str, Label]
"""By verdict id, a person's word in place of the judge's."""


def load_base_rows(connection: Connection, gold: GoldVersion, question_id: str, words: Words) -> list[Row]:
    """Return the frozen base of one person, with what the reference tells.

    Raises:
        UnitError: `unscored` where the judge could not say of an event whether the reference tells it.
    """
    question = next(each for each in gold.questions if each.question_id == question_id)
    where = {"channel": gold.channel, "version": gold.gold_version, "question": question_id}
    told = {
        row.nugget_id: words.get(row.verdict_id or "", "HIT" if row.covered == "yes" else "MISS")
        for row in connection.execute(
            text(
                "select nugget_id, covered, verdict_id from base_coverage"
                " where channel = :channel and gold_version = :version and question_id = :question"
                " and covered is not null"
            ),
            where,
        )
    }
    events = base_events(question)
    _refuse(question_id, sum(each.event_id not in told for each in events))
    return [
        Row(each.event, covered=told[each.event_id] == "HIT", sources=frozenset((each.source,))) for each in events
    ]


def load_run_rows(connection: Connection, run_key: str, question_id: str, words: Words) -> list[Row]:
    """Return what a run coded for one person, with the judge's words; nothing where the run failed on the person.

    Raises:
        UnitError: `unscored` where a verdict is missing.
    """
    where = {"run_key": run_key, "question_id": question_id}
    coded = connection.execute(
        text(
            "select ordinal, event, sources from coded_events where run_key = :run_key"
            " and question_id = :question_id order by ordinal"
        ),
        where,
    ).all()
    verdicts = connection.execute(text(read_sql("queries/event_words.sql")), where).all()
    _refuse(f"{run_key}/{question_id}", sum(row.label is None for row in verdicts))
    said = {(row.purpose, row.item_id): words.get(row.verdict_id, row.label) for row in verdicts}
    return [
        Row(
            event_from_json(row.event),
            supported=said.get(("grounded", str(row.ordinal))) == "HIT",
            covered=said.get(("coverage", str(row.ordinal))) == "HIT",
            slots=frozenset(
                slot for slot in get_args(Slot) if said.get(("slot", f"{row.ordinal}:{slot}")) == "HIT"
            ),
            sources=frozenset(row.sources or (run_key,)),
        )
        for row in coded
    ]


def failed_persons(connection: Connection, run_keys: Iterable[str]) -> set[tuple[str, str]]:
    """Return (run, person) wherever a run ended in an error: it scores 0 there and keeps its cost."""
    rows = connection.execute(
        text("select run_key, question_id from trails where state = 'error' and run_key = any(:runs)"),
        {"runs": sorted(run_keys)},
    )
    return {(row.run_key, row.question_id) for row in rows}


def base_hash(connection: Connection, channel: str, gold_version: str) -> dict[str, Any]:
    """Return by person what is known of the coverage of the base."""
    rows = connection.execute(
        text(
            "select question_id, array_agg(nugget_id || ' ' || coalesce(covered, '?') order by nugget_id) as told"
            " from base_coverage where channel = :channel and gold_version = :version group by question_id"
        ),
        {"channel": channel, "version": gold_version},
    )
    return {row.question_id: list(row.told) for row in rows}


def _refuse(what: str, missing: int) -> None:
    if missing:
        raise UnitError("unscored", f"{missing} verdicts of {what} could not be had; a failure is never a MISS")
