"""Write one question whose answer is a claim, without giving the answer away."""

from datetime import date

from pydantic import BaseModel, ConfigDict

from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.question_rules import about_question, amount_question, split_speaker
from answertrail_pipeline.tasks.task import Task


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ComposeFactualInput(_Frozen):
    """A claim with its tags.

    Attributes:
        written: questions that exist already, the most alike first.
    """

    claim: str
    topics: tuple[str, ...]
    entities: tuple[str, ...]
    said_on: date
    language: str
    written: tuple[str, ...] = ()


class ComposedFactual(_Frozen):
    """A question, or None with the reason."""

    question: str | None
    reason: str | None = None


def render(given: ComposeFactualInput) -> str:
    """Return the user message: the claim, its tags and the questions that exist."""
    tags = f"Topics: {'; '.join(given.topics)}\nNames: {'; '.join(given.entities)}"
    parts = [fence(f"{given.claim}\n{tags}", "claim"), f"Said in {given.said_on:%Y-%m}."]
    if given.written:
        parts.insert(0, fence("\n".join(given.written), "existing_questions"))
    return "\n\n".join([*parts, f"Write the question in the language with the tag `{given.language}`."])


def check(_given: ComposeFactualInput, made: ComposedFactual) -> list[str]:
    """Return what is wrong beyond the schema."""
    if made.question is None:
        return [] if made.reason else ["neither a question nor a reason"]
    return [] if made.question.strip() else ["the question is empty"]


def by_rules(given: ComposeFactualInput) -> ComposedFactual:
    """Ask for the claim's amount where it has one, else for what was said of its topics."""
    if given.language.startswith("en") and (question := amount_question(given.claim)):
        return ComposedFactual(question=question)
    speaker, _ = split_speaker(given.claim)
    topics = _anchors(given)
    question = about_question(topics, speaker, given.said_on, given.language)
    if question is None or len(topics) + bool(speaker) < 2:
        return ComposedFactual(question=None, reason="the claim has too few topics to ask for it and nothing else")
    return ComposedFactual(question=question)


def _anchors(given: ComposeFactualInput) -> list[str]:
    """Return names and topics as the claim writes them, the longest first, no two that share a word."""
    kept: list[str] = []
    used: set[str] = set()
    for topic in sorted((*given.entities, *given.topics), key=lambda topic: (-len(topic.split()), -len(topic))):
        words = set(tokens(topic, given.language))
        if words and not words & used:
            at = given.claim.casefold().find(topic.casefold())
            kept.append(given.claim[at : at + len(topic)] if at >= 0 else topic)
            used |= words
    return kept


COMPOSE_FACTUAL: Task[ComposeFactualInput, ComposedFactual] = Task(
    name="compose_factual",
    version="1",
    input_type=ComposeFactualInput,
    output_type=ComposedFactual,
    render=render,
    baseline=by_rules,
    check=check,
)
