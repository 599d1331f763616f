"""Write the answer from the passages that a run found, with the id of a passage after each statement."""

from datetime import date

from pydantic import BaseModel, ConfigDict

from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.task import Task
from answertrail_pipeline.tasks.write_answer_rules import Passage, extract


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EvidenceItem(_Frozen):
    """One passage: a chunk with its label."""

    chunk_id: str
    title: str
    date: date | None
    text: str


class RejectedAnswer(_Frozen):
    """An earlier attempt and what was wrong with it."""

    answer: str
    problems: tuple[str, ...]


class WriteAnswerInput(_Frozen):
    """A question with its evidence, best first.

    Attributes:
        topic: the question without its frame, by rule; read by the rules only, which take the question
            where it is None.
        language: BCP 47 tag of the language that the answer is written in.
    """

    question: str
    language: str
    evidence: tuple[EvidenceItem, ...]
    topic: str | None = None
    rejected: RejectedAnswer | None = None


class WrittenAnswer(_Frozen):
    """An answer with inline markers `[chunk_id]`, and the ids that it cites."""

    answer: str
    citations: tuple[str, ...]
    abstained: bool


def render(given: WriteAnswerInput) -> str:
    """Return the user message: passages in order of time, then the question."""
    passages = sorted(given.evidence, key=lambda item: (item.date or date.min, item.chunk_id))
    parts = [fence("\n\n".join(map(_labelled, passages)) or "(none were found)", "passages")]
    parts.append(fence(given.question, "question"))
    parts.append(f"Write the answer in the language with the tag `{given.language}`.")
    if given.rejected:
        parts.append(fence(given.rejected.answer, "earlier_answer"))
        problems = "\n".join(f"- {problem}" for problem in given.rejected.problems)
        parts.append(f"The earlier answer was refused:\n{problems}\nWrite it again without these faults.")
    return "\n\n".join(parts)


def _labelled(item: EvidenceItem) -> str:
    return f"[{item.chunk_id}] {item.date or 'no date'} | {item.title}\n{item.text}"


def by_rules(given: WriteAnswerInput) -> WrittenAnswer:
    """Return the sentences of the evidence that share most with the question, each with its id."""
    passages = [Passage(item.chunk_id, item.date, item.text) for item in given.evidence]
    answer, citations = extract(given.question, given.topic or given.question, passages, given.language)
    return WrittenAnswer(answer=answer, citations=citations, abstained=not citations)


WRITE_ANSWER: Task[WriteAnswerInput, WrittenAnswer] = Task(
    name="write_answer",
    version="1",
    input_type=WriteAnswerInput,
    output_type=WrittenAnswer,
    render=render,
    baseline=by_rules,
)
