"""Many claims against one text in one call: cheaper than `judge`, and compared with it (`judging/modes.py`)."""

from collections import Counter
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from answertrail_pipeline.models.reply import STRICT, without_thoughts
from answertrail_pipeline.tasks.judge import JudgedClaim, Judgement, ruling, shared_parts, shown_claim
from answertrail_pipeline.tasks.judge_rules import TextKind, read_once
from answertrail_pipeline.tasks.task import Task


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NumberedClaim(_Frozen):
    """A claim with the id that the reply must echo."""

    id: str
    claim: JudgedClaim


class JudgeBatchInput(_Frozen):
    """Claims with distinct ids against one text; the rest as in `JudgeInput`."""

    claims: tuple[NumberedClaim, ...]
    text: str
    text_kind: TextKind
    question: str | None = None
    language: str = "en"


class NumberedJudgement(_Frozen):
    """The judge's word on the claim of that id."""

    id: str
    label: Literal["HIT", "MISS"]
    reason: str
    detail: Literal["contradicted", "not_found"] | None = None


class JudgeBatchOutput(_Frozen):
    """One verdict for each claim, in any order."""

    verdicts: tuple[NumberedJudgement, ...]


def render(given: JudgeBatchInput) -> str:
    """Return the user message: the text first, then the question and the claims."""
    parts = shared_parts(given.text, given.text_kind, given.question)
    parts += [shown_claim(item.claim, f"CLAIM {item.id}") for item in given.claims]
    return "\n\n".join(parts)


def by_rules(given: JudgeBatchInput) -> JudgeBatchOutput:
    """Judge each claim by the rules of `judge`; the text is read once."""
    judged = read_once(given.text, given.text_kind, given.language)
    found = [(item.id, ruling(judged, item.claim, given.question)) for item in given.claims]
    return JudgeBatchOutput(
        verdicts=tuple(NumberedJudgement(id=i, label=j.label, reason=j.reason, detail=j.detail) for i, j in found)
    )


def check(given: JudgeBatchInput, made: JudgeBatchOutput) -> list[str]:
    """Return what is wrong with the ids of a reply: each claim must be judged exactly once."""
    wanted = {item.id for item in given.claims}
    counts = Counter(verdict.id for verdict in made.verdicts)
    problems = [f"claim `{i}` is judged {count} times" for i, count in sorted(counts.items()) if count > 1]
    problems += [f"there is no claim `{i}`" for i in sorted(counts.keys() - wanted)]
    problems += [f"claim `{i}` is not judged" for i in sorted(wanted - counts.keys())]
    return problems


def complete_verdicts(given: JudgeBatchInput, cut_off: str) -> dict[str, Judgement]:
    """Return the verdicts that stand whole in a reply which was cut off, by id.

    A verdict counts only if its object is closed and fits the schema, and its id was asked and occurs once. Of a
    list that is followed by the beginning of another object none does: it was a draft.
    """
    wanted = {item.id for item in given.claims}
    found = _whole_verdicts(without_thoughts(cut_off) or "")
    counts = Counter(verdict.id for verdict in found)
    return {
        verdict.id: Judgement(label=verdict.label, reason=verdict.reason, detail=verdict.detail)
        for verdict in found
        if verdict.id in wanted and counts[verdict.id] == 1
    }


def _whole_verdicts(text: str) -> list[NumberedJudgement]:
    """Read the objects of the last list `verdicts` until one is not whole; none where an object follows it."""
    opening = text.rfind('"verdicts"')
    at = text.find("[", opening) + 1 if opening >= 0 else 0
    found: list[NumberedJudgement] = []
    while at:
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        try:
            value, at = STRICT.raw_decode(text, at)
            found.append(NumberedJudgement.model_validate(value))
        except (ValueError, ValidationError):
            return [] if text.startswith("]", at) and "{" in text[at:] else found
    return found


JUDGE_BATCH: Task[JudgeBatchInput, JudgeBatchOutput] = Task(
    name="judge_batch",
    version="1",
    input_type=JudgeBatchInput,
    output_type=JudgeBatchOutput,
    render=render,
    baseline=by_rules,
    check=check,
)
