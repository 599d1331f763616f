"""Texts that an external agent retrieved, matched to the chunks of the corpus that hold them."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time

from answertrail_pipeline.agents.corpus_view import CorpusView
from answertrail_pipeline.agents.external_contract import RetrievedText
from answertrail_pipeline.agents.search_tool import Search
from answertrail_pipeline.agents.types import FOREIGN, RetrievedChunk
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.hashing import text_sha256
from answertrail_pipeline.retrieval.types import Hit, Query

SHINGLE = 12
"""Letters and digits of one shingle: about two words, in any script."""
CHUNK_SHARE = 0.8
"""A chunk belongs to a text if this share of its shingles is in the text,"""
TEXT_PART = 0.15
"""or if it brings this share of the text's that no better chunk held."""
TEXT_SHARE = 0.8
"""A text is made of chunks if together they hold this share of its shingles; some lie across their bounds."""
MAX_QUERY = 2000
_CANDIDATES = 10
NO_DATE = datetime(1, 1, 1, tzinfo=UTC)
"""Date of foreign evidence that has none."""


@dataclass(frozen=True)
class Matched:
    """What an agent retrieved, as chunks.

    Attributes:
        names: for each name that the agent uses in its citations, the ids it stands for.
    """

    chunks: tuple[RetrievedChunk, ...]
    names: dict[str, tuple[str, ...]]
    foreign: int


async def match(retrieved: Sequence[RetrievedText | str], corpus: CorpusView, search: Search) -> Matched:
    """Return the chunks that an agent's reported retrieval stands for.

    An id of the corpus is that chunk. A text is matched by its letters and digits to the chunks that hold it; one
    that the corpus does not hold becomes foreign evidence with an id of its own.

    Args:
        search: finds candidates by their words.

    Raises:
        UnitError: `unknown_chunk`: an id that is no chunk, without a text.
    """
    items = [RetrievedText(chunk_id=item) if isinstance(item, str) else item for item in retrieved]
    known = corpus.chunks([each for item in items for each in (item.chunk_id, item.id) if each])
    hits: dict[str, Hit] = {}
    names: dict[str, tuple[str, ...]] = {}
    for item in items:
        own = [each for each in (item.chunk_id, item.id) if each]
        chunk = next((known[each] for each in own if each in known), None)
        found = [chunk] if chunk else await _chunks_of(item, search)
        for hit in found:
            hits.setdefault(hit.chunk_id, hit)
        for name in own:
            names[name] = tuple(hit.chunk_id for hit in found)
    chunks = tuple(RetrievedChunk(hit, 1, rank) for rank, hit in enumerate(hits.values(), 1))
    return Matched(chunks, names, sum(each.startswith(FOREIGN) for each in hits))


async def _chunks_of(item: RetrievedText, search: Search) -> list[Hit]:
    if not (item.text or "").strip():
        raise UnitError(
            "unknown_chunk", f"`{item.chunk_id or item.id}` is no chunk of the corpus and comes without a text."
        )
    text = item.text or ""
    wanted = _shingles(text)
    candidates = [
        (hit, _shingles(hit.text)) for hit in (await search(Query(text[:MAX_QUERY], _CANDIDATES), ())).hits
    ]
    candidates.sort(key=lambda pair: (-len(pair[1] & wanted), pair[0].chunk_id))
    covered: set[str] = set()
    found: list[Hit] = []
    for hit, shingles in candidates:
        shared = shingles & wanted
        whole = len(shared) >= CHUNK_SHARE * len(shingles)
        if shared - covered and (whole or len(shared - covered) >= TEXT_PART * len(wanted)):
            covered |= shared
            found.append(hit)
    if wanted and len(covered) >= TEXT_SHARE * len(wanted):
        return sorted(found, key=lambda hit: (hit.video_id, hit.start_seconds))
    return [_foreign(item, text)]


def _shingles(text: str) -> set[str]:
    letters = "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())
    return {letters[at : at + SHINGLE] for at in range(max(1, len(letters) - SHINGLE + 1))} - {""}


def _foreign(item: RetrievedText, text: str) -> Hit:
    digest = text_sha256(text)
    return Hit(
        chunk_id=f"{FOREIGN}{digest[:12]}",
        text_sha256=digest,
        video_id="",
        title=item.title,
        published_at=datetime.combine(item.date, time(), UTC) if item.date else NO_DATE,
        start_seconds=0.0,
        text=text,
        score=0.0,
        why={"foreign": True},
    )
