"""Asking the judge about career events: supported by an archive, told by a reference, by slot, the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.gold.biographies.people import Person
from answertrail_pipeline.judging.ask import JudgedPair, JudgedText, by_rule, judge_claims, store_pairs
from answertrail_pipeline.judging.event_claims import (
    Line,
    event_claim,
    event_text,
    evidence_text,
    nearest,
    slot_claim,
)
from answertrail_pipeline.judging.judges import AnyJudge
from answertrail_pipeline.judging.types import Purpose
from answertrail_pipeline.language.career_events import CareerEvent, EventPair, Slot
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows
from answertrail_pipeline.tasks.judge import JudgedClaim

Covered = Literal["yes", "partial", "no"]
_SLOTS: tuple[Slot, ...] = ("start", "end", "title")


@dataclass
class JudgedEvent:
    """One coded event with everything that the judge said of it.

    Attributes:
        slots: those that are supported by themselves.
        open_slots: those without a verdict.
        pairs: by (purpose, item id).
    """

    ordinal: int
    event: CareerEvent
    chunk_ids: tuple[str, ...]
    supported: bool | None = None
    covered: Covered | None = "no"
    slots: list[Slot] = field(default_factory=list)
    open_slots: list[Slot] = field(default_factory=list)
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
            elif pair.verdict.label is None:
                event.open_slots.append(slot)
    event.covered, pair_or_none = await asker.coverage(person, event.event)
    if pair_or_none:
        event.pairs["coverage", str(event.ordinal)] = pair_or_none


@dataclass(frozen=True)
class SameEvents:
    """The judge's words on pairs that a matcher is unsure of.

    Attributes:
        words: by pair of content hashes, whether both are one event.
        judged: verdicts that are not kept yet; kept by `store` alone: a rehearsal keeps nothing.
    """

    words: Mapping[EventPair, bool]
    judged: Mapping[EventPair, JudgedPair]

    def store(self, connection: Connection) -> None:
        """Keep the new verdicts, each under its pair."""
        store_pairs(connection, self.judged.values())
        rows = [
            {
                "first_hash": first,
                "second_hash": second,
                "judge_id": pair.judge.judge_id,
                "verdict_id": pair.verdict.verdict_id,
                "same": self.words[first, second],
            }
            for (first, second), pair in sorted(self.judged.items())
        ]
        insert_rows(connection, "same_events", rows, skip_existing=True)


async def judge_same_events(
    asker: EventJudge, person: Person, pairs: Mapping[EventPair, tuple[CareerEvent, CareerEvent]]
) -> SameEvents:
    """Return the judge's word on pairs that the matcher is unsure of; pairs judged before are not asked again.

    Raises:
        UnitError: `unscored` where no verdict could be had on a pair.
    """
    known = _known_same(asker.database, asker.judge, pairs)
    judged = {key: await asker.same(person, a, b) for key, (a, b) in sorted(pairs.items()) if key not in known}
    if any(pair.verdict.label is None for pair in judged.values()):
        raise UnitError("unscored", f"no verdict on whether two events of {person.person_id} are one")
    return SameEvents({**known, **{key: pair.verdict.label == "HIT" for key, pair in judged.items()}}, judged)


def _known_same(
    database: Database, judge: AnyJudge, pairs: Mapping[EventPair, tuple[CareerEvent, CareerEvent]]
) -> dict[EventPair, bool]:
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
