"""The stage `claims`: what each video says, every claim tied to the chunks that state it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection, text

from answertrail_pipeline.gold.likeness import Saying, first_same
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.language.names import NameIndex, names
from answertrail_pipeline.language.words import find_words
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.settings import ModelRole, Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import split_key, video_key
from answertrail_pipeline.store.rows import insert_rows, replace_rows
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.store.stage_run import Computed, Stage, Unit, blocked_keys, output_hashes
from answertrail_pipeline.tasks.extract_claims import EXTRACT_CLAIMS, ExtractClaimsInput, ExtractedClaim
from answertrail_pipeline.tasks.run_task import run_task

CODE_VERSION = "1"
WINDOW_CHUNKS = 120
"""Chunks that one call reads at most: an hour of speech."""
OVERLAP_CHUNKS = 4
"""Chunks that two neighbouring windows share, so that no claim is cut between them."""


@dataclass(frozen=True)
class Claim:
    """One atomic assertion of a video.

    Attributes:
        flags: `unheard:NAME` for a name of the claim that none of its chunks has.
    """

    text: str
    chunk_ids: tuple[str, ...]
    topics: tuple[str, ...]
    entities: tuple[str, ...]
    confidence: Literal["high", "low"]
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Source:
    title: str
    published_at: datetime
    language: str
    chunk_ids: tuple[str, ...]
    texts: tuple[str, ...]


def claims_stage(database: Database, door: Door, channel: str, settings: Settings) -> Stage:
    """Return the stage `claims` of a channel: one unit for each active video.

    A unit is made from the video's chunks, the task's prompt and the role `extract`. Chunks that speech
    recognition invented are not read. A video whose chunks are blocked is blocked here too.
    """
    role = settings.models.extract

    def units() -> Sequence[Unit]:
        with database.begin() as connection:
            return _units(connection, channel, role)

    async def compute(unit: Unit) -> Computed:
        (_, video_id) = split_key(unit.key)
        with database.begin() as connection:
            source = _read_source(connection, channel, video_id)
        found, dropped = await _extract(door, channel, unit.key, source, role)
        claims = merge_claims(found, source.language)
        return _computed(database, channel, video_id, claims, source.language, dropped, len(found))

    return Stage("claims", channel, CODE_VERSION, units, compute, settings.models.max_concurrency)


def _units(connection: Connection, channel: str, role: ModelRole) -> list[Unit]:
    hashes = output_hashes(connection, "chunks", channel)
    blocked = blocked_keys(connection, "chunks", channel)
    rows = connection.execute(
        text("select video_id from videos where channel = :channel and state <> 'retired'"), {"channel": channel}
    )
    shape = [EXTRACT_CLAIMS.prompt_hash, role.model_dump(mode="json")]
    units = []
    for key in sorted(video_key(channel, row.video_id) for row in rows):
        if key in blocked:
            units.append(Unit(key, fingerprint("blocked"), blocked[key]))
        elif key in hashes:
            units.append(Unit(key, fingerprint(hashes[key], *shape)))
    return units


def _read_source(connection: Connection, channel: str, video_id: str) -> _Source:
    where = {"channel": channel, "video_id": video_id}
    video = connection.execute(
        text("select title, published_at, language from videos where channel = :channel and video_id = :video_id"),
        where,
    ).one()
    chunks = connection.execute(text(read_sql("queries/spoken_chunks.sql")), where).all()
    return _Source(
        video.title,
        video.published_at,
        video.language,
        tuple(chunk.chunk_id for chunk in chunks),
        tuple(chunk.spoken_text for chunk in chunks),
    )


async def _extract(
    door: Door, channel: str, key: str, source: _Source, role: ModelRole
) -> tuple[list[Claim], int]:
    """Return the claims of all windows, and how many named no chunk that exists."""
    found: list[Claim] = []
    dropped = 0
    for start in window_starts(len(source.texts)):
        end = start + WINDOW_CHUNKS
        given = ExtractClaimsInput(
            title=source.title,
            published_on=source.published_at.date(),
            language=source.language,
            chunks=source.texts[start:end],
        )
        done = await run_task(door, EXTRACT_CLAIMS, given, role, Account(channel, "claims", key))
        for extracted in done.output.claims:
            claim = resolve_claim(extracted, source.chunk_ids[start:end], source.texts[start:end])
            if claim is None:
                dropped += 1
            else:
                found.append(claim)
    return found, dropped


def window_starts(chunks: int) -> list[int]:
    """Return where each window begins so that all chunks are read and neighbours share `OVERLAP_CHUNKS`."""
    if chunks == 0:
        return []
    return list(range(0, max(1, chunks - OVERLAP_CHUNKS), WINDOW_CHUNKS - OVERLAP_CHUNKS))


def resolve_claim(claim: ExtractedClaim, chunk_ids: Sequence[str], texts: Sequence[str]) -> Claim | None:
    """Tie a claim to chunk ids; None where none of its numbers names a chunk. Unheard names are flagged."""
    numbers = sorted({number for number in claim.chunks if 0 <= number < len(chunk_ids)})
    if not numbers:
        return None
    heard = " ".join(texts[number] for number in numbers)
    return Claim(
        " ".join(claim.text.split()),
        tuple(chunk_ids[number] for number in numbers),
        tuple(dict.fromkeys(topic.strip() for topic in claim.topics if topic.strip())),
        tuple(dict.fromkeys(entity.strip() for entity in claim.entities if entity.strip())),
        claim.confidence,
        tuple(f"unheard:{name}" for name in unheard_names(claim.text, heard)),
    )


def unheard_names(claim: str, heard: str) -> list[str]:
    """Return the names of a claim that a text has in no spelling: taken from the title, or silently repaired."""
    index = NameIndex(find_words(heard))
    return list(dict.fromkeys(name.text for name in names(claim) if not index.find(name.key)))


def merge_claims(claims: Sequence[Claim], language: str) -> list[Claim]:
    """Merge claims of one video that say the same, in order: the first one's words, everybody's chunks."""
    merged: list[Claim] = []
    sayings: list[Saying] = []
    for claim in claims:
        saying = Saying(claim.text, language)
        same = first_same(saying, sayings, range(len(sayings)))
        if same is None:
            merged.append(claim)
            sayings.append(saying)
        else:
            merged[same] = _joined(merged[same], claim)
    return merged


def _joined(first: Claim, second: Claim) -> Claim:
    return replace(
        first,
        chunk_ids=tuple(dict.fromkeys((*first.chunk_ids, *second.chunk_ids))),
        topics=tuple(dict.fromkeys((*first.topics, *second.topics))),
        entities=tuple(dict.fromkeys((*first.entities, *second.entities))),
        confidence="high" if "high" in (first.confidence, second.confidence) else "low",
        flags=tuple(flag for flag in first.flags if flag in second.flags),
    )


def number_claims(
    claims: Sequence[Claim], before: Sequence[tuple[int, str]], next_number: int, language: str
) -> list[int]:
    """Return a number for each claim: the one it had if an earlier claim said the same, else a new one.

    Args:
        before: numbers and texts of the claims of the last extraction.
        next_number: the first number that this video never used.
    """
    sayings = [Saying(claim_text, language) for _, claim_text in before]
    free = dict.fromkeys(range(len(before)))
    numbered: list[int] = []
    for claim in claims:
        same = first_same(Saying(claim.text, language), sayings, free)
        if same is None:
            numbered.append(next_number)
            next_number += 1
        else:
            del free[same]
            numbered.append(before[same][0])
    return numbered


def claim_id(video_id: str, number: int) -> str:
    """Return the id of a claim, such as `dQw4w9WgXcQ#c007`."""
    return f"{video_id}#c{number:03d}"


def _computed(
    database: Database,
    channel: str,
    video_id: str,
    claims: Sequence[Claim],
    language: str,
    dropped: int,
    found: int,
) -> Computed:
    where = {"channel": channel, "video_id": video_id}
    with database.begin() as connection:
        before = connection.execute(text(read_sql("queries/claims_of_video.sql")), where).all()
        used = connection.execute(
            text("select next_number from claim_numbers where channel = :channel and video_id = :video_id"), where
        ).scalar()
    earlier = [(int(row.claim_id.rpartition("#c")[2]), row.text) for row in before]
    numbered = number_claims(claims, earlier, used or 1, language)
    rows = [
        {
            "channel": channel,
            "video_id": video_id,
            "claim_id": claim_id(video_id, number),
            "text": claim.text,
            "confidence": claim.confidence,
            "chunk_ids": list(claim.chunk_ids),
            "topics": list(claim.topics),
            "entities": list(claim.entities),
            "flags": list(claim.flags),
        }
        for number, claim in sorted(zip(numbered, claims, strict=True), key=lambda pair: pair[0])
    ]

    def write(connection: Connection) -> None:
        replace_rows(connection, "claims", where, rows)
        connection.execute(
            text("delete from claim_numbers where channel = :channel and video_id = :video_id"), where
        )
        insert_rows(
            connection, "claim_numbers", [{**where, "next_number": max([used or 1, *(n + 1 for n in numbered)])}]
        )

    return Computed(
        fingerprint(rows),
        write,
        counts={
            "claims": len(rows),
            "high": sum(row["confidence"] == "high" for row in rows),
            "merged": found - len(rows),
            "without_chunk": dropped,
            "unheard": sum(bool(row["flags"]) for row in rows),
        },
    )
