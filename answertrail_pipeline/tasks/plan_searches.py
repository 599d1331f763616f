"""Plan the sub-queries of a trajectory search: short phrases that find what one phrase does not."""

from datetime import date

from pydantic import BaseModel, ConfigDict, Field

from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.task import Task
from answertrail_pipeline.tasks.topic_parts import topic_parts


class PlanSearchesInput(BaseModel):
    """A question and what it is asked of.

    Attributes:
        topic: the question without its frame, by rule.
        maximum: how many phrases at most.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    topic: str
    language: str
    first_date: date | None
    last_date: date | None
    maximum: int = Field(ge=1)


class PlannedPhrases(BaseModel):
    """Short phrases to search for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    phrases: tuple[str, ...]


def render(given: PlanSearchesInput) -> str:
    """Return the user message."""
    return "\n\n".join(
        (
            f"The collection is in the language `{given.language}` and dated"
            f" {given.first_date or '?'} to {given.last_date or '?'}.",
            fence(given.question, "question"),
            f"Write at most {given.maximum} phrases.",
        )
    )


def by_rules(given: PlanSearchesInput) -> PlannedPhrases:
    """Return the topic's parts, quotes and names; the whole topic is searched anyway and left out."""
    parts = topic_parts(given.question, given.topic, given.language)
    return PlannedPhrases(phrases=tuple(parts[1 : given.maximum + 1]))


def problems(given: PlanSearchesInput, made: PlannedPhrases) -> list[str]:
    """Return what is wrong with a plan."""
    found = []
    if len(made.phrases) > given.maximum:
        found.append(f"{len(made.phrases)} phrases, but at most {given.maximum} are allowed")
    found += [f"phrase {number} is empty" for number, text in enumerate(made.phrases, 1) if not text.strip()]
    return found


PLAN_SEARCHES: Task[PlanSearchesInput, PlannedPhrases] = Task(
    name="plan_searches",
    version="1",
    input_type=PlanSearchesInput,
    output_type=PlannedPhrases,
    render=render,
    baseline=by_rules,
    check=problems,
)
