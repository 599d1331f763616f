"""The stage `questions`: proposals for a person to decide on, one unit a drawn video and one a thread."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from answertrail_pipeline.gold.grounding import ground
from answertrail_pipeline.gold.likeness import jaccard
from answertrail_pipeline.gold.review import factual_warnings, longitudinal_warnings
from answertrail_pipeline.gold.sample import Sample, current_sample, store_sample
from answertrail_pipeline.gold.store import (
    StoredClaim,
    claims_by_id,
    claims_of_video,
    decided_questions,
    question_id,
    questions_of_channel,
    replace_proposal,
)
from answertrail_pipeline.hashing import fingerprint, text_sha256
from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import join_key, split_key
from answertrail_pipeline.store.rows import replace_rows
from answertrail_pipeline.store.stage_run import Computed, Gate, Stage, Unit, output_hashes
from answertrail_pipeline.tasks.compose_factual import COMPOSE_FACTUAL, ComposeFactualInput
from answertrail_pipeline.tasks.compose_longitudinal import (
    COMPOSE_LONGITUDINAL,
    ComposeLongitudinalInput,
    DatedStatement,
)
from answertrail_pipeline.tasks.ground_question import GROUND_QUESTION
from answertrail_pipeline.tasks.run_task import run_task
from answertrail_pipeline.tasks.select_claims import SELECT_CLAIMS, ClaimToSelect, SelectClaimsInput
from answertrail_pipeline.tasks.stands import Said, takes_position
from answertrail_pipeline.time_windows import find_windows

CODE_VERSION = "1"
SHOWN_QUESTIONS = 40
"""How many of the questions already written a writer is shown, the most alike first."""
Basis = dict[str, str]
"""What a proposal was made from: the hash of each claim's text, by claim id."""


def questions_stage(database: Database, door: Door, channel: str, settings: Settings) -> Stage:
    """Return the stage `questions` of a channel.

    Units: `channel/factual/VIDEO` for each drawn video, `channel/longitudinal/THREAD` for the best threads. A unit
    is not opened again by a small change of its claims (`gold.recompose_share`), nor, once a person decided on
    its proposal, by any change; `recompose` opens it. Units are worked on one by one, in order of their keys: each
    writer is shown what the others wrote, and a proposal must not depend on which call came back first. Within a
    unit, the videos that a question is grounded in are read at once.
    """
    writer = _Writer(database, door, channel, settings)
    return Stage("questions", channel, CODE_VERSION, writer.units, writer.compute, grows=True)


def recompose(database: Database, channel: str, unit_key: str) -> None:
    """Have a unit proposed anew at the next pass; a decided proposal stays, the new one stands beside it."""
    with database.begin() as connection:
        connection.execute(
            text("delete from compositions where channel = :channel and unit_key = :unit_key"),
            {"channel": channel, "unit_key": unit_key},
        )


def changed_share(before: Mapping[str, str], now: Mapping[str, str]) -> float:
    """Return which share of all claims, old and new, came, went or changed."""
    every = before.keys() | now.keys()
    return sum(before.get(key) != now.get(key) for key in every) / len(every) if every else 0.0


@dataclass(frozen=True)
class _Proposal:
    row: dict[str, Any] | None
    outcome: str
    reason: str | None = None
    gates: Sequence[Gate] = ()


class _Writer:
    """Lists and composes the units of one channel."""

    def __init__(self, database: Database, door: Door, channel: str, settings: Settings) -> None:
        self.database = database
        self.door = door
        self.channel = channel
        self.settings = settings
        self.language = settings.channel(channel).language

    def units(self) -> Sequence[Unit]:
        with self.database.begin() as connection:
            if not output_hashes(connection, "claims", self.channel):
                return []
            decided = decided_questions(connection, self.channel)
            stored = self._stored(connection)
            bases = {**self._factual(connection, stored), **self._longitudinal(connection, stored)}
        return [
            Unit(key, fingerprint(self._basis_that_holds(key, basis, stored, decided), *self._shape(key)))
            for key, basis in sorted(bases.items())
        ]

    async def compute(self, unit: Unit) -> Computed:
        (_, tier, subject) = split_key(unit.key)
        with self.database.begin() as connection:
            decided = decided_questions(connection, self.channel).get(unit.key, set())
            stored = self._stored(connection)
            if decided and unit.key in stored:
                return _as_it_is(decided)
            sample = current_sample(connection, self.channel, self.settings.gold)
            claims = self._claims(connection, tier, subject)
            written = [q for q in questions_of_channel(connection, self.channel) if q.unit_key != unit.key]
        compose = self._compose_factual if tier == "factual" else self._compose_longitudinal
        proposal = await compose(unit.key, subject, claims, written)

        def write(connection: Connection) -> None:
            store_sample(connection, self.channel, sample)
            replace_proposal(connection, self.channel, unit.key, proposal.row, decided)
            composition = {
                "channel": self.channel,
                "unit_key": unit.key,
                "basis": Jsonb(_basis(claims)),
                "outcome": proposal.outcome,
                "reason": proposal.reason,
            }
            where = {"channel": self.channel, "unit_key": unit.key}
            replace_rows(connection, "compositions", where, [composition])

        row = proposal.row
        made = [row["question_id"], row["text"], row["claim_ids"]] if row else [proposal.outcome]
        return Computed(
            fingerprint(made),
            write,
            reason=proposal.reason,
            counts={proposal.outcome: 1, "warnings": len(proposal.gates)},
            gates=proposal.gates,
        )

    def _stored(self, connection: Connection) -> dict[str, Any]:
        rows = connection.execute(
            text("select unit_key, basis, outcome from compositions where channel = :channel"),
            {"channel": self.channel},
        )
        return {row.unit_key: row for row in rows}

    def _factual(self, connection: Connection, stored: Mapping[str, Any]) -> dict[str, Basis]:
        sample: Sample = current_sample(connection, self.channel, self.settings.gold)
        skipped = frozenset(
            split_key(key)[2] for key, row in stored.items() if row.outcome == "skipped" and "/factual/" in key
        )
        videos = sample.videos(self.settings.gold.factual_per_bin, skipped)
        rows = connection.execute(
            text(
                "select video_id, claim_id, text from claims where channel = :channel and confidence = 'high'"
                " and video_id = any(:videos)"
            ),
            {"channel": self.channel, "videos": videos},
        )
        bases: dict[str, Basis] = {}
        for row in rows:
            key = join_key(self.channel, "factual", row.video_id)
            bases.setdefault(key, {})[row.claim_id] = text_sha256(row.text)
        return bases

    def _longitudinal(self, connection: Connection, stored: Mapping[str, Any]) -> dict[str, Basis]:
        """Return the bases of the threads that have a proposal, and of the best others up to the limit.

        The best come back within a video and over many: what is only mentioned everywhere is no matter.
        """
        threads = connection.execute(
            text(
                "select thread_id, claim_ids from threads where channel = :channel"
                " order by cardinality(claim_ids)::float / videos * ln(1 + videos) desc, thread_id"
            ),
            {"channel": self.channel},
        ).all()
        key_of = {thread.thread_id: join_key(self.channel, "longitudinal", thread.thread_id) for thread in threads}
        ranked = sorted(threads, key=lambda thread: key_of[thread.thread_id] not in stored)
        chosen = ranked[: max(self.settings.gold.max_longitudinal, sum(key in stored for key in key_of.values()))]
        claims = connection.execute(
            text("select claim_id, text from claims where channel = :channel"), {"channel": self.channel}
        )
        texts = {claim.claim_id: claim.text for claim in claims}
        return {
            key_of[thread.thread_id]: {key: text_sha256(texts[key]) for key in thread.claim_ids if key in texts}
            for thread in chosen
        }

    def _basis_that_holds(
        self, key: str, now: Basis, stored: Mapping[str, Any], decided: Mapping[str, set[str]]
    ) -> Basis:
        if key not in stored:
            return now
        before: Basis = stored[key].basis
        if key in decided or changed_share(before, now) < self.settings.gold.recompose_share:
            return before
        return now

    def _shape(self, key: str) -> list[Any]:
        models = self.settings.models
        compose = COMPOSE_FACTUAL if "/factual/" in key else COMPOSE_LONGITUDINAL
        tasks = [SELECT_CLAIMS.prompt_hash, compose.prompt_hash, GROUND_QUESTION.prompt_hash]
        return [*tasks, models.select.model_dump(mode="json"), models.compose.model_dump(mode="json")]

    def _claims(self, connection: Connection, tier: str, subject: str) -> list[StoredClaim]:
        if tier == "factual":
            return claims_of_video(connection, self.channel, subject)
        ids = connection.execute(
            text("select claim_ids from threads where channel = :channel and thread_id = :thread_id"),
            {"channel": self.channel, "thread_id": subject},
        ).scalar()
        return claims_by_id(connection, self.channel, ids or [])

    def _most_alike(self, written: Sequence[Any], claim_text: str) -> tuple[str, ...]:
        words = frozenset(tokens(claim_text, self.language))
        alike = sorted(
            written, key=lambda q: (-jaccard(words, frozenset(tokens(q.text, self.language))), q.question_id)
        )
        return tuple(question.text for question in alike[:SHOWN_QUESTIONS])

    async def _compose_factual(
        self, key: str, _video_id: str, claims: Sequence[StoredClaim], written: Sequence[Any]
    ) -> _Proposal:
        account = Account(self.channel, "questions", key)
        given = SelectClaimsInput(
            language=self.language,
            claims=tuple(ClaimToSelect(text=c.text, topics=c.topics, entities=c.entities) for c in claims),
        )
        selected = (await run_task(self.door, SELECT_CLAIMS, given, self.settings.models.select, account)).output
        reason = "no claim is worth a question"
        for number in (selected.primary, selected.fallback):
            if number is None:
                continue
            claim = claims[number]
            done = await run_task(
                self.door,
                COMPOSE_FACTUAL,
                ComposeFactualInput(
                    claim=claim.text,
                    topics=claim.topics,
                    entities=claim.entities,
                    said_on=claim.day,
                    language=self.language,
                    written=self._most_alike(written, claim.text),
                ),
                self.settings.models.compose,
                account,
            )
            if done.output.question:
                return await self._proposal(key, "factual", done.output.question, [claim], written, done.model, {})
            reason = done.output.reason or reason
        return _Proposal(None, "skipped", reason)

    async def _compose_longitudinal(
        self, key: str, thread_id: str, claims: Sequence[StoredClaim], written: Sequence[Any]
    ) -> _Proposal:
        topic = as_written(thread_id.replace("-", " "), [claim.text for claim in claims])
        sampled = evenly(
            claims,
            self.settings.gold.max_thread_claims,
            lambda claim: takes_position(Said(claim.day, claim.text), topic, self.language),
        )
        given = ComposeLongitudinalInput(
            topic=topic,
            claims=tuple(DatedStatement(day=claim.day, text=claim.text) for claim in sampled),
            language=self.language,
            written=self._most_alike(written, topic),
        )
        account = Account(self.channel, "questions", key)
        done = await run_task(self.door, COMPOSE_LONGITUDINAL, given, self.settings.models.compose, account)
        made = done.output
        if not made.changed or made.question is None:
            return _Proposal(None, "rejected", made.reason)
        evidence = [sampled[number] for number in sorted(set(made.evidence))]
        detail = {"topic": topic, "statements": list(made.statements), "thread_claims": len(claims)}
        return await self._proposal(key, "longitudinal", made.question, evidence, written, done.model, detail)

    async def _proposal(
        self,
        key: str,
        tier: str,
        question: str,
        claims: Sequence[StoredClaim],
        written: Sequence[Any],
        model: str,
        detail: dict[str, Any],
    ) -> _Proposal:
        question = " ".join(question.split())
        grounded = await ground(
            self.database,
            self.door,
            self.channel,
            key,
            question,
            claims,
            self.language,
            self.settings.models.select,
        )
        others = [(row.question_id, row.text) for row in written]
        if tier == "factual":
            with self.database.begin() as connection:
                behind = _claims_behind(connection, self.channel, written)
            warnings = factual_warnings(question, claims[0], grounded, others, behind, self.language)
        else:
            warnings = longitudinal_warnings(question, claims, detail["statements"], others, self.language)
        window = next(iter(find_windows(question)), None)
        row = {
            "question_id": question_id(tier, key, question),
            "tier": tier,
            "text": question,
            "thread_id": split_key(key)[2] if tier == "longitudinal" else None,
            "claim_ids": [claim.claim_id for claim in claims],
            "chunk_ids": list(dict.fromkeys(chunk for claim in claims for chunk in claim.chunk_ids)),
            "window_from": window.start if window and tier == "longitudinal" else None,
            "window_to": window.end if window and tier == "longitudinal" else None,
            "detail": {
                **detail,
                "grounded": grounded,
                "warnings": [{"gate": warned.gate, "message": warned.message} for warned in warnings],
            },
            "written_by": model,
        }
        gates = [Gate(warned.gate, False, warned.message) for warned in warnings]
        return _Proposal(row, "question", gates=gates)


def evenly(
    claims: Sequence[StoredClaim], most: int, is_telling: Callable[[StoredClaim], bool] = lambda _claim: False
) -> list[StoredClaim]:
    """Return at most `most` claims: of equal stretches of time one each, by turns, until enough are taken.

    Args:
        is_telling: whether a claim goes before others of its stretch.
    """
    if len(claims) <= most:
        return list(claims)
    first, last = claims[0].day, claims[-1].day
    span = max(1, (last - first).days)
    slots: dict[int, list[StoredClaim]] = {}
    for claim in sorted(claims, key=lambda claim: not is_telling(claim)):
        slots.setdefault(min(most - 1, (claim.day - first).days * most // span), []).append(claim)
    taken: list[StoredClaim] = []
    for turn in range(max(len(queue) for queue in slots.values())):
        taken += [queue[turn] for _, queue in sorted(slots.items()) if turn < len(queue)]
        if len(taken) >= most:
            break
    return sorted(taken[:most], key=lambda claim: (claim.day, claim.claim_id))


def as_written(topic: str, texts: Sequence[str]) -> str:
    """Return a normalized topic in the spelling that texts use most ("nvidia" as "NVIDIA", "gpt 5" as "GPT-5")."""
    pattern = re.compile(r"(?<!\w)" + r"[\s-]?".join(map(re.escape, topic.split())) + r"(?:s|es)?(?!\w)", re.I)
    found = Counter(match for text in texts for match in pattern.findall(text))
    return max(found, key=lambda written: (found[written], written), default=topic)


def _basis(claims: Sequence[StoredClaim]) -> Basis:
    return {claim.claim_id: text_sha256(claim.text) for claim in claims}


def _claims_behind(connection: Connection, channel: str, written: Sequence[Any]) -> list[tuple[str, str]]:
    """Return the text of the first claim behind each question."""
    first = {row.claim_ids[0]: row.question_id for row in written if row.claim_ids}
    return [(first[claim.claim_id], claim.text) for claim in claims_by_id(connection, channel, list(first))]


def _as_it_is(decided: set[str]) -> Computed:
    return Computed(fingerprint("decided", sorted(decided)), lambda _connection: None, counts={"decided": 1})
