"""The gold's words as typed values: what a frozen version holds and what agents and scoring read."""

from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Tier = Literal["factual", "longitudinal", "biography"]
NuggetKind = Literal["fact", "stance", "shift", "no_change", "event"]
HEADLINE_KIND: dict[str, NuggetKind] = {"factual": "fact", "longitudinal": "stance", "biography": "event"}
"""The nugget kind that a tier's headline recall is made of."""


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GoldNugget(_Frozen):
    """One atomic fact that a correct answer must state."""

    nugget_id: str
    kind: NuggetKind
    text: str
    window_text: str | None = None
    window_from: date | None = None
    window_to: date | None = None
    claim_ids: tuple[str, ...] = ()
    chunk_ids: tuple[str, ...] = ()
    written_by: str = "unknown"
    detail: dict[str, Any] = Field(default_factory=dict)


class GoldQuestion(_Frozen):
    """A kept or segregated question with its kept nuggets."""

    question_id: str
    tier: Tier
    text: str
    state: Literal["kept", "segregated"]
    nuggets: tuple[GoldNugget, ...]
    claim_ids: tuple[str, ...] = ()
    chunk_ids: tuple[str, ...] = ()
    window_from: date | None = None
    window_to: date | None = None
    written_by: str = "unknown"
    detail: dict[str, Any] = Field(default_factory=dict)

    @property
    def counts(self) -> bool:
        """Whether the question is in the denominators."""
        return self.state == "kept" and bool(self.nuggets)


class GoldVersion(_Frozen):
    """A frozen, numbered answer key."""

    channel: str
    gold_version: str
    as_of: date
    corpus_id: str | None
    policy: Literal["people", "auto"]
    reviewers: tuple[str, ...] = ()
    task_hashes: dict[str, str] = Field(default_factory=dict)
    evidence: dict[str, str] = Field(default_factory=dict)
    """Text of every evidence chunk, by chunk id."""
    questions: tuple[GoldQuestion, ...]
