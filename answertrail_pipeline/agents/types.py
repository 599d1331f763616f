"""A run's words: what an agent is asked and the trail it leaves."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from answertrail_pipeline.retrieval.types import Hit


@dataclass(frozen=True)
class RetrievedChunk:
    """A chunk that a run retrieved.

    Attributes:
        first_step: number of the search (from 1) that found it first.
        kept: whether it was put into the archive; always true for agents without one.
    """

    hit: Hit
    first_step: int
    rank: int
    kept: bool = True


@dataclass(frozen=True)
class Trail:
    """All that one run did for one question.

    Attributes:
        answer: prose with inline markers `[chunk_id]`.
        citations: ids cited, in order of first appearance; each was retrieved in this run.
        events: one JSON object an event, in order: the live view and the stored trail read the same.
        reports_retrieval: false for an external agent that told nothing of what it retrieved.
    """

    answer: str
    citations: tuple[str, ...]
    retrieved: tuple[RetrievedChunk, ...]
    events: tuple[dict[str, Any], ...] = ()
    searches: int = 0
    steps: int = 0
    budget_exhausted: bool = False
    reports_retrieval: bool = True
    model_calls: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: Decimal | None = None
    seconds: float = 0.0
    detail: dict[str, Any] = field(default_factory=dict)
