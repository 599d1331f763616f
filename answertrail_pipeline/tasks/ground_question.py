"""Say which passages of a source video answer a question: asked of the model, never of the retriever."""

from pydantic import BaseModel, ConfigDict

from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.task import Task

MIN_SHARE = 0.5
"""The rules take a passage that holds this share of the claim's words."""


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GroundQuestionInput(_Frozen):
    """A question with the passages of one source video.

    Attributes:
        claims: what the question was written from; only the rules read it, the model is not told the answer.
    """

    question: str
    language: str
    chunks: tuple[str, ...]
    claims: tuple[str, ...] = ()


class GroundedQuestion(_Frozen):
    """Numbers of the passages that answer."""

    chunks: tuple[int, ...]


def render(given: GroundQuestionInput) -> str:
    """Return the user message: the numbered passages, then the question."""
    passages = "\n".join(f"{number}: {text}" for number, text in enumerate(given.chunks))
    return f"{fence(passages, 'passages')}\n\n{fence(given.question, 'question')}"


def check(given: GroundQuestionInput, made: GroundedQuestion) -> list[str]:
    """Return the numbers that name no passage."""
    return [f"there is no passage {number}" for number in made.chunks if not 0 <= number < len(given.chunks)]


def by_rules(given: GroundQuestionInput) -> GroundedQuestion:
    """Take the passages that hold at least half of the words of a claim behind the question."""
    claims = [set(tokens(claim, given.language)) for claim in given.claims]
    found = []
    for number, chunk in enumerate(given.chunks):
        words = set(tokens(chunk, given.language))
        if any(claim and len(claim & words) >= MIN_SHARE * len(claim) for claim in claims):
            found.append(number)
    return GroundedQuestion(chunks=tuple(found))


GROUND_QUESTION: Task[GroundQuestionInput, GroundedQuestion] = Task(
    name="ground_question",
    version="1",
    input_type=GroundQuestionInput,
    output_type=GroundedQuestion,
    render=render,
    baseline=by_rules,
    check=check,
)
