"""Why did an answer miss a dated view: is it stated for another time, or not stated at all?"""

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict

from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.judge_rules import Claim, Judged
from answertrail_pipeline.tasks.task import Task


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MissKindInput(_Frozen):
    """A missed stance nugget.

    Attributes:
        window: when the view was held, in words.
        reason: the judge's reason for the MISS.
    """

    nugget: str
    window: str | None
    window_from: date | None
    window_to: date | None
    question: str
    answer: str
    reason: str
    language: str = "en"


class MissKindOutput(_Frozen):
    """`timing`: the view is stated, its time is wrong or absent. `substance`: the view itself is not stated."""

    kind: Literal["timing", "substance"]
    reason: str


def render(given: MissKindInput) -> str:
    """Return the user message: answer, question, nugget, the judge's reason."""
    return "\n\n".join(
        [
            f"ANSWER\n{fence(given.answer, 'answer')}",
            f"QUESTION\n{fence(given.question, 'question')}",
            f"MISSED VIEW (time: {given.window or 'none given'})\n{fence(given.nugget, 'view')}",
            f"WHY IT WAS JUDGED A MISS\n{fence(given.reason, 'reason')}",
        ]
    )


def by_rules(given: MissKindInput) -> MissKindOutput:
    """Judge the view again without its time: if the answer states it then, only the time was missed."""
    judged = Judged(given.answer, "answer", given.language)
    timeless = judged.rule_without_time(
        Claim(given.nugget, "stance", given.window, given.window_from, given.window_to), given.question
    )
    if timeless.supported:
        return MissKindOutput(kind="timing", reason="The answer states the view, but not for this time.")
    return MissKindOutput(kind="substance", reason=f"Without its time: {timeless.reason}")


MISS_KIND: Task[MissKindInput, MissKindOutput] = Task(
    name="miss_kind",
    version="1",
    input_type=MissKindInput,
    output_type=MissKindOutput,
    render=render,
    baseline=by_rules,
)
