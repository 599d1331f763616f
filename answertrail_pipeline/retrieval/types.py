"""What a search asks and what it gives back."""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any


@dataclass(frozen=True)
class Query:
    """One search.

    Attributes:
        text: the words searched for, as the agent wrote them.
        k: how many chunks at most; the retriever's setting where None.
        since: first day of a date window, or None.
        until: last day of the window (inclusive), or None.
        video_ids: only these videos; all where empty.
    """

    text: str
    k: int | None = None
    since: date | None = None
    until: date | None = None
    video_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hit:
    """One retrieved chunk, with why it was retrieved.

    Attributes:
        why: JSON values: ranks, scores, sub-query, period.
    """

    chunk_id: str
    text_sha256: str
    video_id: str
    title: str
    published_at: datetime
    start_seconds: float
    text: str
    score: float
    why: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SearchResult:
    """The hits of one search in order, and for a trajectory search the coverage of each period."""

    hits: tuple[Hit, ...]
    coverage: tuple[dict[str, Any], ...] = ()
    log: dict[str, Any] = field(default_factory=dict)
    """Everything needed to replay the search: sub-queries, span, floor, model ids."""
