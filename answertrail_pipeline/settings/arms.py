"""The configurations under test."""

from typing import Literal, Self

from pydantic import Field, model_validator

from answertrail_pipeline.settings.models import ModelRole
from answertrail_pipeline.settings.strict import Slug, Strict


class RetrieverSettings(Strict):
    """How an arm searches. All of it is part of the arm's hash."""

    kind: Literal["dense", "bm25", "hybrid", "trajectory"] = "dense"
    k: int = Field(10, gt=0, le=1000)
    max_k: int | None = Field(None, gt=0, le=1000)
    """How many chunks an agent may ask for in one search; `k` where absent."""
    rrf_k: int | None = Field(None, gt=0)
    """Constant of reciprocal rank fusion; where absent 60, as is usual, and 10 for `trajectory`."""
    pool: int = Field(400, gt=0)
    """How deep each ranking goes before fusion."""
    bm25_k1: float = Field(1.2, gt=0)
    bm25_b: float = Field(0.75, ge=0, le=1)
    spread: float = Field(0.9, gt=0, le=1)
    """Trajectory: each chunk that a period already has multiplies its others by this; 1 turns it off."""
    floor: int = Field(0, ge=0)
    """Trajectory: chunks that each period gets before the fused ranking fills the rest."""
    subqueries: int = Field(4, ge=0, le=16)
    claims: Literal["none", "clean", "all"] = "none"
    """Search claims too and return the chunks that they cite: `clean` without the claims that a gold nugget cites;
    `all` with them, and every number says so. For `hybrid` and `trajectory`, which join rankings."""

    @model_validator(mode="after")
    def _claims_are_joined(self) -> Self:
        if self.claims != "none" and self.kind not in ("hybrid", "trajectory"):
            raise ValueError(f"claims are searched by `hybrid` and `trajectory`, not by `{self.kind}`")
        return self

    @property
    def fusion_k(self) -> int:
        """The constant of reciprocal rank fusion."""
        return self.rrf_k or (10 if self.kind == "trajectory" else 60)

    @property
    def name(self) -> str:
        """How it searches, in words: `trajectory`, `hybrid with clean claims`."""
        return self.kind if self.claims == "none" else f"{self.kind} with {self.claims} claims"

    @property
    def most(self) -> int:
        """How many chunks one search of an agent may bring."""
        return self.max_k or self.k


class WebSettings(Strict):
    """Live pages beside a bounded corpus. Keys come from SERPER_API_KEY, JINA_API_KEY and EXA_API_KEY."""

    search_base: str = "https://google.serper.dev"
    reader: Literal["jina", "exa"] = "jina"
    reader_base: str = "https://r.jina.ai"
    """For `exa`: https://api.exa.ai."""
    results: int = Field(5, gt=0, le=20)
    max_bytes: int = Field(2_000_000, gt=0)
    timeout_seconds: float = Field(30, gt=0)
    replay: bool = False
    """Answer from the pages and searches that were stored, and never from the web."""


class BiographySettings(Strict):
    """How an arm reconstructs careers (docs/politnuggets.md)."""

    strategy: Literal["agent", "agent_no_archive", "lrm_short", "lrm_long", "memory", "deep_research"] = "agent"
    with_reference: bool = False
    """Whether the reference text is the first summary."""
    donor: Slug | None = None
    """For `lrm_short` and `lrm_long`: the arm whose archive is given."""
    max_calls: int = Field(100, gt=1)
    """Model calls a person, over supervisor, searcher and coder."""
    context_words: int = Field(20_000, gt=0)
    """For `lrm_long`: pages are cut after so many words."""
    web: WebSettings | None = None
    """Search the live web in place of the corpus."""


class ArmSettings(Strict):
    """One configuration under test."""

    agent: Literal["single_shot", "react", "long_context", "external", "biography"] = "single_shot"
    biography: BiographySettings = BiographySettings()
    """For `biography`."""
    model: ModelRole | None = None
    """The agent's model; the role `agent` of `[models]` where absent."""
    retriever: RetrieverSettings = RetrieverSettings()
    max_steps: int = Field(15, gt=0)
    recipe: str = "default"
    endpoint: str | None = None
    """For `external`: an http(s) URL, `python:module:function`, `command:...` or `file:answers.jsonl`."""
    family: str | None = None
    timeout_seconds: float = Field(600, gt=0)
