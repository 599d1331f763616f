"""A run's words: what an agent is asked and the trail it leaves."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from answertrail_pipeline.retrieval.types import Hit

Evidence = Literal["retrieved", "cited", "none"]
"""What an answer can be checked against: all chunks retrieved; only those cited, because the agent had the whole
transcript before it; or nothing, because an external agent told nothing."""
FOREIGN = "foreign#"
"""Prefix of the id of a text that an external agent used and that is no chunk of the corpus."""


@dataclass(frozen=True)
class Asked:
    """A question as an agent gets it: the words and what the corpus is, never a nugget or the tier.

    Attributes:
        language: of the channel, and so of the answer.
        first_date, last_date: of the corpus; None where it is empty.
        salt: repetition and epoch of the run: part of every model call's key.
    """

    question_id: str
    text: str
    channel: str
    channel_title: str
    language: str
    first_date: date | None
    last_date: date | None
    salt: str


@dataclass(frozen=True)
class RetrievedChunk:
    """A chunk that a run retrieved.

    Attributes:
        first_step: number of the search (from 1) that found it first.
        rank: in that search, from 1.
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
        abstained: the agent says that the corpus holds no answer.
        events: one JSON object an event, in order: the live view and the stored trail read the same.
        steps: turns of the agent's loop.
        prompt_tokens, completion_tokens, cost_usd: None where somebody did not say.
        detail: repeated searches, malformed tool calls, refusals, what was cut, what evidence is foreign.
    """

    answer: str
    citations: tuple[str, ...]
    retrieved: tuple[RetrievedChunk, ...]
    abstained: bool = False
    events: tuple[dict[str, Any], ...] = ()
    searches: int = 0
    steps: int = 0
    budget_exhausted: bool = False
    evidence: Evidence = "retrieved"
    model_calls: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: Decimal | None = None
    seconds: float = 0.0
    detail: dict[str, Any] = field(default_factory=dict)

    @property
    def reports_retrieval(self) -> bool:
        """Whether everything that the agent retrieved is known."""
        return self.evidence == "retrieved"
