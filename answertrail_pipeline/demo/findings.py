"""What of the planted truth came through: facts as claims, changed views as threads and nuggets."""

from dataclasses import dataclass

from sqlalchemy import Connection, text

from answertrail_pipeline.demo.truth import HardCase, Places, Planted, Topic, Truth
from answertrail_pipeline.language.tokens import tokens

SAID_SHARE = 0.6
"""A claim says a quote when it shares this much of the quote's content words and cites its chunk."""
THREAD_STATEMENTS = 3
"""A thread has caught a changed view when it holds claims from this many of its statements."""


@dataclass(frozen=True)
class Findings:
    """Planted items that came through, out of all; with the names of those that did not.

    Attributes:
        hard_cases: by kind: how many became claims, and how many there are. Rules should miss them.
    """

    facts_found: int
    facts: int
    shifts_in_threads: tuple[str, ...]
    shifts_in_nuggets: tuple[str, ...]
    shifts_missed: tuple[str, ...]
    trap_kept_out: bool
    hard_cases: dict[str, tuple[int, int]]


def find(connection: Connection, channel: str, truth: Truth, places: Places) -> Findings:
    """Hold what the pipeline made of a channel against what is planted in it."""
    claims = _claims(connection, channel)
    threads = [set(row.claim_ids) for row in _rows(connection, "select claim_ids from threads", channel)]
    asked = [
        set(row.claim_ids)
        for row in _rows(connection, "select claim_ids from nuggets where kind in ('stance', 'shift')", channel)
    ]
    changed = [topic for topic in truth.topics if topic.shift]
    in_threads = [topic for topic in changed if _caught(topic, threads, claims, places)]
    in_nuggets = [topic for topic in in_threads if _asked(topic, asked, claims, places)]
    kinds: dict[str, tuple[int, int]] = {}
    for case in truth.hard_cases:
        found, total = kinds.get(case.kind, (0, 0))
        kinds[case.kind] = (found + bool(_said(case, claims, places)), total + 1)
    return Findings(
        facts_found=sum(bool(_said(fact, claims, places)) for fact in truth.facts),
        facts=len(truth.facts),
        shifts_in_threads=tuple(topic.topic for topic in in_threads),
        shifts_in_nuggets=tuple(topic.topic for topic in in_nuggets),
        shifts_missed=tuple(topic.topic for topic in changed if topic not in in_threads),
        trap_kept_out=not any(_asked(topic, asked, claims, places) for topic in truth.topics if not topic.shift),
        hard_cases=dict(sorted(kinds.items())),
    )


@dataclass(frozen=True)
class _Claim:
    claim_id: str
    chunk_ids: frozenset[str]
    words: frozenset[str]


def _claims(connection: Connection, channel: str) -> dict[str, list[_Claim]]:
    """Return the claims by video."""
    by_video: dict[str, list[_Claim]] = {}
    for row in _rows(connection, "select video_id, claim_id, chunk_ids, text from claims", channel):
        claim = _Claim(row.claim_id, frozenset(row.chunk_ids), frozenset(tokens(row.text, "en")))
        by_video.setdefault(row.video_id, []).append(claim)
    return by_video


def _rows(connection: Connection, select: str, channel: str) -> list:  # type: ignore[type-arg]
    joiner = "and" if " where " in select else "where"
    return list(connection.execute(text(f"{select} {joiner} channel = :channel"), {"channel": channel}))


def _said(planted: Planted | HardCase, claims: dict[str, list[_Claim]], places: Places) -> set[str]:
    """Return the claims that say a quote: they cite its chunk and share most of its words."""
    words = set(tokens(planted.quote, "en"))
    chunks = set(places.of(planted))
    if not words:
        return set()
    return {
        claim.claim_id
        for claim in claims.get(planted.video_id, [])
        if claim.chunk_ids & chunks and len(words & claim.words) >= SAID_SHARE * len(words)
    }


def _caught(topic: Topic, threads: list[set[str]], claims: dict[str, list[_Claim]], places: Places) -> bool:
    said = [_said(statement, claims, places) for statement in topic.statements]
    return any(sum(bool(claim_ids & thread) for claim_ids in said) >= THREAD_STATEMENTS for thread in threads)


def _asked(topic: Topic, nuggets: list[set[str]], claims: dict[str, list[_Claim]], places: Places) -> bool:
    said = [_said(statement, claims, places) for statement in topic.statements]
    return sum(any(claim_ids & nugget for nugget in nuggets) for claim_ids in said) >= 2
