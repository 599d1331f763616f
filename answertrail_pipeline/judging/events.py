"""The judge's words on coded events: supported by the run's archive, told by the reference, slot by slot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.agents.biographies import read_answer
from answertrail_pipeline.agents.runs import Run, run_unit_key
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.gold.biographies.base import base_events
from answertrail_pipeline.gold.biographies.people import Person, load_people
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.hashing import fingerprint, text_sha256
from answertrail_pipeline.judging.ask import JudgedPair, JudgedText, by_rule, judge_claims, store_pairs
from answertrail_pipeline.judging.event_claims import (
    ArchivedText,
    Line,
    archive_lines,
    event_claim,
    event_text,
    evidence_text,
    nearest,
    slot_claim,
)
from answertrail_pipeline.judging.judges import AnyJudge, configured_judge
from answertrail_pipeline.judging.types import Purpose
from answertrail_pipeline.language.career_events import CareerEvent, Slot
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import join_key
from answertrail_pipeline.store.rows import insert_rows, replace_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit, output_hashes
from answertrail_pipeline.tasks.judge import JudgedClaim

FACT_VERDICTS = "fact_verdicts"
BASE_COVERAGE = "base_coverage"
FACT_VERDICTS_VERSION = "1"
Covered = Literal["yes", "partial", "no"]
_SLOTS: tuple[Slot, ...] = ("start", "end", "title")


@dataclass
class JudgedEvent:
    """One coded event with everything that the judge said of it.

    Attributes:
        pairs: by (purpose, item id).
    """

    ordinal: int
    event: CareerEvent
    chunk_ids: tuple[str, ...]
    supported: bool | None = None
    covered: Covered | None = "no"
    slots: list[Slot] = field(default_factory=list)
    sources: tuple[str, ...] = ()
    pairs: dict[tuple[Purpose, str], JudgedPair] = field(default_factory=dict)


@dataclass(frozen=True)
class EventJudge:
    """A judge with all that it needs to be asked about events."""

    database: Database
    door: Door
    judge: AnyJudge
    account: Account

    async def ask(self, purpose: Purpose, judged: JudgedText, claim: JudgedClaim) -> JudgedPair:
        """Return the verdict on one claim against one text; a MISS by rule where the text is empty."""
        if not judged.text.strip():
            return by_rule(self.judge, purpose, judged, {"": claim}, "There is no evidence.")[""]
        asked = await judge_claims(
            self.database, self.door, self.judge, purpose, judged, {"": claim}, self.account
        )
        return asked[""]

    async def coverage(self, person: Person, event: CareerEvent) -> tuple[Covered | None, JudgedPair | None]:
        """Return whether the reference tells an event: `partial` where it tells the office and not the year."""
        if not person.reference:
            return "no", None
        judged = JudgedText(person.reference, "document", None, "en")
        whole = await self.ask("coverage", judged, event_claim(person, event))
        if whole.verdict.label == "HIT":
            return "yes", whole
        if whole.verdict.label is None:
            return None, whole
        part = await self.ask("coverage", judged, event_claim(person, event, with_year=False))
        return ("partial" if part.verdict.label == "HIT" else "no"), whole

    async def same(self, person: Person, a: CareerEvent, b: CareerEvent) -> JudgedPair:
        """Return whether two events are one: the pair is asked in the order of the content hashes."""
        first, second = sorted((a, b), key=lambda event: event.content_hash)
        judged = JudgedText(
            event_text(person, second), "event", "Is it the same office in the same term?", second.lang
        )
        return await self.ask("same_event", judged, event_claim(person, first))


async def judge_event(asker: EventJudge, person: Person, event: JudgedEvent, lines: Sequence[Line]) -> None:
    """Fill in support, its sources, the slots, and whether the reference tells the event."""
    near = nearest(event.event, lines)
    judged = JudgedText(evidence_text(near), "document", None, near[0].language if near else "en")
    support = await asker.ask("grounded", judged, event_claim(person, event.event))
    event.pairs["grounded", str(event.ordinal)] = support
    event.supported = None if support.verdict.label is None else support.verdict.label == "HIT"
    if event.supported:
        event.sources = tuple(sorted({line.document_id for line in near}))
        for slot in _SLOTS:
            claim = slot_claim(person, event.event, slot)
            if claim is None:
                continue
            pair = await asker.ask("slot", judged, claim)
            event.pairs["slot", f"{event.ordinal}:{slot}"] = pair
            if pair.verdict.label == "HIT":
                event.slots.append(slot)
    event.covered, pair_or_none = await asker.coverage(person, event.event)
    if pair_or_none:
        event.pairs["coverage", str(event.ordinal)] = pair_or_none


def fact_verdicts_stage(database: Database, door: Door, settings: Settings, run: Run, gold: GoldVersion) -> Stage:
    """Return the stage that judges what a run coded, person by person.

    A unit is made from the trail, the reference text and the judge.
    """
    judge = configured_judge(settings)
    questions = {run_unit_key(run.run_key, each.question_id): each.question_id for each in gold.questions}

    def units() -> list[Unit]:
        with database.begin() as connection:
            trails = output_hashes(connection, "agent_runs", run.channel)
            people = load_people(connection, run.channel)
        return [
            Unit(key, fingerprint(trails[key], judge.judge_id, text_sha256(people[person].reference or "")))
            for key, person in sorted(questions.items())
            if key in trails and person in people
        ]

    async def compute(unit: Unit) -> Computed:
        question_id = questions[unit.key]
        with database.begin() as connection:
            person = load_people(connection, run.channel)[question_id]
            answer, lines = _trail(connection, run.run_key, question_id)
        asker = EventJudge(database, door, judge, Account(run.channel, FACT_VERDICTS, unit.key, run.run_key))
        events = [
            JudgedEvent(ordinal, coded.event(), coded.chunk_ids)
            for ordinal, coded in enumerate(read_answer(answer).events, 1)
        ]
        for event in events:
            await judge_event(asker, person, event, lines)
        rows = [_row(run.run_key, question_id, event) for event in events]
        return Computed(
            output_hash=fingerprint(
                [{**row, "event": event.event.as_json()} for row, event in zip(rows, events, strict=True)]
            ),
            write=lambda connection: _write(connection, run.run_key, question_id, events),
            counts={
                "events": len(events),
                "supported": sum(bool(event.supported) for event in events),
                "unscored": sum(event.supported is None or event.covered is None for event in events),
            },
        )

    return Stage(
        FACT_VERDICTS, run.channel, FACT_VERDICTS_VERSION, units, compute, settings.models.max_concurrency
    )


def base_coverage_stage(database: Database, door: Door, settings: Settings, gold: GoldVersion) -> Stage:
    """Return the stage that judges which events of the frozen base the reference texts tell already."""
    judge = configured_judge(settings)
    channel, version = gold.channel, gold.gold_version
    questions = {join_key(channel, version, each.question_id): each for each in gold.questions}

    def units() -> list[Unit]:
        with database.begin() as connection:
            people = load_people(connection, channel)
        return [
            Unit(
                key,
                fingerprint(
                    judge.judge_id,
                    text_sha256(people[question.question_id].reference or ""),
                    [nugget.detail for nugget in question.nuggets],
                ),
            )
            for key, question in sorted(questions.items())
            if question.question_id in people
        ]

    async def compute(unit: Unit) -> Computed:
        question = questions[unit.key]
        with database.begin() as connection:
            person = load_people(connection, channel)[question.question_id]
        asker = EventJudge(database, door, judge, Account(channel, BASE_COVERAGE, unit.key))
        made = [(each, *(await asker.coverage(person, each.event))) for each in base_events(question)]
        rows = [
            {
                "channel": channel,
                "gold_version": version,
                "question_id": question.question_id,
                "nugget_id": each.event_id,
                "covered": covered,
                "verdict_id": pair.verdict.verdict_id if pair else None,
            }
            for each, covered, pair in made
        ]

        def write(connection: Connection) -> None:
            store_pairs(connection, [pair for _, _, pair in made if pair])
            where = {"channel": channel, "gold_version": version, "question_id": question.question_id}
            replace_rows(connection, "base_coverage", where, rows)

        counts = {
            f"covered_{word}": sum(covered == word for _, covered, _ in made) for word in ("yes", "partial", "no")
        }
        return Computed(fingerprint(rows), write, counts=counts)

    return Stage(BASE_COVERAGE, channel, FACT_VERDICTS_VERSION, units, compute, settings.models.max_concurrency)


async def judge_same_events(
    asker: EventJudge, person: Person, pairs: Mapping[tuple[str, str], tuple[CareerEvent, CareerEvent]]
) -> dict[tuple[str, str], bool]:
    """Return the judge's word on pairs that the matcher is unsure of; pairs judged before are not asked again.

    Raises:
        UnitError: `unscored` where no verdict could be had on a pair.
    """
    known = _known_same(asker.database, asker.judge, pairs)
    for key, (a, b) in sorted(pairs.items()):
        if key in known:
            continue
        pair = await asker.same(person, a, b)
        if pair.verdict.label is None:
            raise UnitError("unscored", f"no verdict on whether two events of {person.person_id} are one")
        known[key] = pair.verdict.label == "HIT"
        row = {
            "first_hash": key[0],
            "second_hash": key[1],
            "judge_id": asker.judge.judge_id,
            "verdict_id": pair.verdict.verdict_id,
            "same": known[key],
        }
        with asker.database.begin() as connection:
            store_pairs(connection, [pair])
            insert_rows(connection, "same_events", [row], skip_existing=True)
    return known


def _known_same(
    database: Database, judge: AnyJudge, pairs: Mapping[tuple[str, str], tuple[CareerEvent, CareerEvent]]
) -> dict[tuple[str, str], bool]:
    with database.begin() as connection:
        rows = connection.execute(
            text(
                "select first_hash, second_hash, same from same_events"
                " where judge_id = :judge and first_hash = any(:firsts)"
            ),
            {"judge": judge.judge_id, "firsts": sorted({first for first, _ in pairs})},
        )
        known = {(row.first_hash, row.second_hash): row.same for row in rows}
    return {key: known[key] for key in pairs if key in known}


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
        ArchivedText(chunk.chunk_id, chunk.video_id, chunk.title, chunk.language, chunk.text) for chunk in chunks
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


def _write(connection: Connection, run_key: str, question_id: str, events: Sequence[JudgedEvent]) -> None:
    where = {"run_key": run_key, "question_id": question_id}
    store_pairs(connection, [pair for event in events for pair in event.pairs.values()])
    rows = [{**_row(run_key, question_id, event), "event": Jsonb(event.event.as_json())} for event in events]
    replace_rows(connection, "coded_events", where, rows)
    links = [
        {**where, "purpose": purpose, "item_id": item, "verdict_id": pair.verdict.verdict_id}
        for event in events
        for (purpose, item), pair in event.pairs.items()
    ]
    replace_rows(connection, "run_verdicts", where, links)
