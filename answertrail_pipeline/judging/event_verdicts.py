"""The stage `verdicts` of a biography: the judge's words on each coded event, and on the base by the reference.

grounded: event x the nearest lines of the run's archive. slot: start month, end month and title, each by itself.
coverage: event x reference text, for coded events and for those of the base (item `base:NUGGET_ID`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.agents.biographies import read_answer
from answertrail_pipeline.agents.runs import Run, questions_of, run_unit_key
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.gold.biographies.base import base_events
from answertrail_pipeline.gold.biographies.people import BaseEvent, Person, load_people
from answertrail_pipeline.gold.types import GoldQuestion, GoldVersion
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.judging.ask import JudgedPair, store_pairs
from answertrail_pipeline.judging.assertions import ASSERTIONS_STAGE, trail_units
from answertrail_pipeline.judging.event_claims import ArchivedText, Line, archive_lines
from answertrail_pipeline.judging.events import Covered, EventJudge, JudgedEvent, judge_event
from answertrail_pipeline.judging.judges import configured_judge
from answertrail_pipeline.judging.kinship import kin_to_agent, kinship_gates
from answertrail_pipeline.judging.types import Purpose
from answertrail_pipeline.judging.verdicts import VERDICTS_STAGE, VERDICTS_VERSION, lacking_questions
from answertrail_pipeline.language.scripts import language_of_script
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import replace_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Gate, Stage, Unit, UnitState, output_hashes

OF_BASE = "base:"
"""Before the id of an event of the base, in the item of a coverage verdict."""


@dataclass(frozen=True)
class JudgedBase:
    """An event of the base, and whether the reference tells it."""

    base: BaseEvent
    covered: Covered | None
    pair: JudgedPair | None


def event_verdicts_stage(database: Database, door: Door, settings: Settings, run: Run, gold: GoldVersion) -> Stage:
    """Return the stage that judges what a run coded; a unit is `run_key/person`, as in `agent_runs`.

    A unit is made from the trail and its rows, the person's names and reference text, the base and the judge.
    Where the judge is kin to the agent every unit is blocked, unasked; one with an unscored verdict ends
    `unscored`, and is due again where the judge was silent.
    """
    judge = configured_judge(settings)
    kin, gates = kin_to_agent(judge, run), kinship_gates(judge, run, gold)
    questions = {run_unit_key(run.run_key, each.question_id): each for each in _asked(run, gold)}

    def units() -> list[Unit]:
        with database.begin() as connection:
            trails = {key: (made, why) for key, made, why in trail_units(connection, run)}
            assertions = output_hashes(connection, ASSERTIONS_STAGE, run.channel)
            people = load_people(connection, run.channel)
            lacking = lacking_questions(connection, run.run_key)
        made_units = []
        for key, question in sorted(questions.items()):
            if question.question_id not in people:
                continue
            trail, blocked = trails.get(key, (None, "the person was not asked for yet"))
            if not blocked and key not in assertions:
                blocked = "its assertions are not made yet"
            told = [people[question.question_id].identity, [nugget.detail for nugget in question.nuggets]]
            made_from = fingerprint(trail, assertions.get(key), told, judge.judge_id)
            made_units.append(Unit(key, made_from, kin or blocked, question.question_id in lacking))
        return made_units

    async def compute(unit: Unit) -> Computed:
        question = questions[unit.key]
        with database.begin() as connection:
            person = load_people(connection, run.channel)[question.question_id]
            answer, lines = _trail(connection, run.run_key, question.question_id)
        account = Account(run.channel, VERDICTS_STAGE, unit.key, run.run_key, run.arm)
        asker = EventJudge(database, door, judge, account)
        events = [
            JudgedEvent(ordinal, coded.event(), coded.chunk_ids)
            for ordinal, coded in enumerate(read_answer(answer).events, 1)
        ]
        for event in events:
            await judge_event(asker, person, event, lines)
        base = [JudgedBase(each, *(await asker.coverage(person, each.event))) for each in base_events(question)]
        return _computed(run, gold, question.question_id, events, base, gates)

    return Stage(VERDICTS_STAGE, run.channel, VERDICTS_VERSION, units, compute, settings.models.max_concurrency)


def _asked(run: Run, gold: GoldVersion) -> list[GoldQuestion]:
    return questions_of(run.whole_arm.settings, gold)


def _trail(connection: Connection, run_key: str, question_id: str) -> tuple[str, list[Line]]:
    """Return a finished trail's answer and the lines of its archive."""
    where = {"run_key": run_key, "question_id": question_id}
    row = connection.execute(
        text(
            "select answer, evidence from trails where run_key = :run_key and question_id = :question_id"
            " and state = 'done'"
        ),
        where,
    ).one_or_none()
    if row is None:
        raise UnitError("no_trail", f"{run_key} has no finished trail for {question_id}")
    if row.evidence == "none":
        return row.answer, []
    chunks = connection.execute(text(read_sql("queries/archive.sql")), where)
    return row.answer, archive_lines(
        ArchivedText(
            chunk.chunk_id,
            chunk.video_id,
            chunk.title,
            chunk.language or language_of_script(chunk.text),
            chunk.text,
        )
        for chunk in chunks
    )


def _computed(
    run: Run, gold: GoldVersion, question_id: str, events: Sequence[JudgedEvent], base: Sequence[JudgedBase],
    gates: Sequence[Gate],
) -> Computed:  # fmt: skip
    rows = [_row(run.run_key, question_id, event) for event in events]
    told = [[each.base.event_id, each.covered] for each in base]
    words = [event.supported is None or event.covered is None or event.open_slots for event in events]
    unscored = sum(map(bool, words)) + sum(each.covered is None for each in base)

    def write(connection: Connection) -> None:
        _write_base(connection, gold, question_id, base)
        _write_events(connection, run.run_key, question_id, events, base)

    return Computed(
        fingerprint(
            [{**row, "event": each.event.as_json()} for row, each in zip(rows, events, strict=True)], told
        ),
        write,
        UnitState.UNSCORED if unscored else UnitState.DONE,
        f"{unscored} events without a word" if unscored else None,
        counts={
            "events": len(events),
            "supported": sum(bool(event.supported) for event in events),
            "base_covered": sum(each.covered == "yes" for each in base),
            "base_partly_covered": sum(each.covered == "partial" for each in base),
            "unscored": unscored,
        },
        gates=gates,
    )


def _row(run_key: str, question_id: str, event: JudgedEvent) -> dict[str, object]:
    return {
        "run_key": run_key,
        "question_id": question_id,
        "ordinal": event.ordinal,
        "event": None,
        "content_hash": event.event.content_hash,
        "chunk_ids": list(event.chunk_ids),
        "supported": event.supported,
        "covered": event.covered,
        "slots": list(event.slots),
        "sources": list(event.sources),
    }


def _write_events(
    connection: Connection, run_key: str, question_id: str, events: Sequence[JudgedEvent],
    base: Sequence[JudgedBase],
) -> None:  # fmt: skip
    where = {"run_key": run_key, "question_id": question_id}
    rows = [{**_row(run_key, question_id, event), "event": Jsonb(event.event.as_json())} for event in events]
    replace_rows(connection, "coded_events", where, rows)
    pairs: dict[tuple[Purpose, str], JudgedPair] = {
        key: pair for event in events for key, pair in event.pairs.items()
    }
    pairs |= {("coverage", f"{OF_BASE}{each.base.event_id}"): each.pair for each in base if each.pair}
    store_pairs(connection, list(pairs.values()))
    links = [
        {**where, "purpose": purpose, "item_id": item, "verdict_id": pair.verdict.verdict_id}
        for (purpose, item), pair in pairs.items()
    ]
    replace_rows(connection, "run_verdicts", where, links)


def _write_base(connection: Connection, gold: GoldVersion, question_id: str, base: Sequence[JudgedBase]) -> None:
    """Keep the coverage of the base; every run of the gold brings the same, so two may write at once."""
    where = {"channel": gold.channel, "gold_version": gold.gold_version, "question_id": question_id}
    connection.execute(
        text("select pg_advisory_xact_lock(hashtext('base_coverage'), hashtext(:person))"),
        {"person": f"{gold.channel}/{question_id}"},
    )
    store_pairs(connection, [each.pair for each in base if each.pair])
    rows = [
        {
            **where,
            "nugget_id": each.base.event_id,
            "covered": each.covered,
            "verdict_id": each.pair.verdict.verdict_id if each.pair else None,
        }
        for each in base
    ]
    replace_rows(connection, "base_coverage", where, rows)


def people_of(run: Run, gold: GoldVersion, people: dict[str, Person]) -> list[str]:
    """Return the ids of the people whom a run is asked for and who were not removed, in order."""
    return sorted(each.question_id for each in _asked(run, gold) if each.question_id in people)
