"""Is a claim supported by a text? The one judgement behind every score: HIT or MISS and one sentence of reason."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict

from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.judge_rules import Claim, ClaimKind, Judged, TextKind, read_once
from answertrail_pipeline.tasks.task import Task


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class JudgedClaim(_Frozen):
    """A claim with its time.

    Attributes:
        window: when it held, in words ("early 2025"); part of the claim.
        window_from: first day of the window, where it is known as dates.
        window_to: last day, inclusive.
    """

    text: str
    kind: ClaimKind = "fact"
    window: str | None = None
    window_from: date | None = None
    window_to: date | None = None


class JudgeInput(_Frozen):
    """One claim against one text.

    Attributes:
        question: what was asked: it tells what the claim is about and is no evidence.
        text_kind: `chunks` are one set of labelled passages made by `chunk_set_text`.
        language: BCP 47 tag of the text.
    """

    claim: JudgedClaim
    text: str
    text_kind: TextKind
    question: str | None = None
    language: str = "en"


class Judgement(_Frozen):
    """The judge's word.

    Attributes:
        reason: one sentence.
        detail: of a MISS: whether the text says otherwise or does not say it; None for a HIT.
    """

    label: Literal["HIT", "MISS"]
    reason: str
    detail: Literal["contradicted", "not_found"] | None = None


@dataclass(frozen=True)
class LabelledChunk:
    """A chunk as the judge sees it: id and publish date label its text.

    Attributes:
        published: None for foreign evidence without a date.
    """

    chunk_id: str
    published: date | None
    text: str


def chunk_set_text(chunks: Iterable[LabelledChunk]) -> str:
    """Return the text of a set of chunks: the same set gives the same text, whatever its order.

    Each chunk is a line `[chunk_id] 2025-02-22` and a line of text, so that no text can pass for a label.
    """
    ordered = sorted(set(chunks), key=lambda c: (c.published or date.min, *_video_and_second(c.chunk_id), c.text))
    return "\n\n".join(
        f"[{c.chunk_id}] {c.published.isoformat() if c.published else 'no date'}\n{' '.join(c.text.split())}"
        for c in ordered
    )


def _video_and_second(chunk_id: str) -> tuple[str, int]:
    video, _, second = chunk_id.rpartition(":")
    return video, int(second) if second.isdecimal() else 0


def render(given: JudgeInput) -> str:
    """Return the user message: the text first, then the question and the claim."""
    return "\n\n".join([*shared_parts(given.text, given.text_kind, given.question), shown_claim(given.claim)])


def shared_parts(text: str, text_kind: TextKind, question: str | None) -> list[str]:
    """Return the parts of a message that all claims against one text share."""
    parts = [f"TEXT (kind: {text_kind})\n{fence(text, 'text')}"]
    if question:
        parts.append(f"QUESTION\n{fence(question, 'question')}")
    return parts


def shown_claim(claim: JudgedClaim, heading: str = "CLAIM") -> str:
    """Return a claim as the judge reads it."""
    window = f"\ntime window: {' '.join(claim.window.split())}" if claim.window else ""
    return f"{heading} (kind: {claim.kind}){window}\n{fence(claim.text, 'claim')}"


def by_rules(given: JudgeInput) -> Judgement:
    """Judge by numbers, names, denials, dates and shared words."""
    judged = read_once(given.text, given.text_kind, given.language)
    return ruling(judged, given.claim, given.question)


def ruling(judged: Judged, claim: JudgedClaim, question: str | None) -> Judgement:
    """Judge one claim by rules against a text that was read already."""
    found = judged.rule(
        Claim(claim.text, claim.kind, claim.window, claim.window_from, claim.window_to), question or ""
    )
    return Judgement(label="HIT" if found.supported else "MISS", reason=found.reason, detail=found.detail)


JUDGE: Task[JudgeInput, Judgement] = Task(
    name="judge",
    version="1",
    input_type=JudgeInput,
    output_type=Judgement,
    render=render,
    baseline=by_rules,
)
