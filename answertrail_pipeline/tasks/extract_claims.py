"""List every concrete claim of a transcript, each tied to the passages that state it."""

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from answertrail_pipeline.tasks.claim_rules import find_claims
from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.task import Task


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ExtractClaimsInput(_Frozen):
    """A stretch of one video.

    Attributes:
        chunks: texts in order of time; the model sees them numbered from 0.
    """

    title: str
    published_on: date
    language: str
    chunks: tuple[str, ...]


class ExtractedClaim(_Frozen):
    """One claim; `chunks` are numbers of the list, not yet checked."""

    text: str = Field(min_length=1)
    chunks: tuple[int, ...]
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    confidence: Literal["high", "low"]


class ExtractedClaims(_Frozen):
    """The claims of a stretch in order of time."""

    claims: tuple[ExtractedClaim, ...]


def render(given: ExtractClaimsInput) -> str:
    """Return the user message: the numbered passages, then where they are from."""
    passages = "\n".join(f"{number}: {text}" for number, text in enumerate(given.chunks))
    return (
        f"{fence(passages, 'passages')}\n\n{fence(given.title, 'title')}\n\n"
        f"Published on {given.published_on}."
        f" Write claims and topics in the language with the tag `{given.language}`."
    )


def by_rules(given: ExtractClaimsInput) -> ExtractedClaims:
    """Return the sentences that stand alone and say something checkable or an opinion, word for word."""
    return ExtractedClaims(
        claims=tuple(
            ExtractedClaim(
                text=claim.text,
                chunks=claim.chunks,
                topics=claim.topics,
                entities=claim.entities,
                confidence="high" if claim.is_high else "low",
            )
            for claim in find_claims(given.chunks, given.language)
        )
    )


EXTRACT_CLAIMS: Task[ExtractClaimsInput, ExtractedClaims] = Task(
    name="extract_claims",
    version="3",
    input_type=ExtractClaimsInput,
    output_type=ExtractedClaims,
    render=render,
    baseline=by_rules,
)
