"""Write the atomic facts that an answer to a question must state."""

import re
from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.language.numbers import numbers
from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.question_rules import month_name, split_speaker
from answertrail_pipeline.tasks.task import Task
from answertrail_pipeline.time_windows import parse_window

MIN_PART_WORDS = 5
MAX_STANCES = 4
_PARTS = re.compile(r"; |, (?:and|but|while|whereas) (?=\w+ )|, compared (?:to|with) ")


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AnsweringClaim(_Frozen):
    """A claim that answers the question, with the day of its video."""

    day: date
    text: str


class WriteNuggetsInput(_Frozen):
    """A kept question with its claims in order of time.

    Attributes:
        statements: how the view changed, as the question's writer saw it (tier longitudinal).
        unchanged: the question is a trap: the view did not change.
    """

    tier: Literal["factual", "longitudinal"]
    question: str
    claims: tuple[AnsweringClaim, ...]
    language: str
    statements: tuple[str, ...] = ()
    unchanged: bool = False


class WrittenNugget(_Frozen):
    """One nugget; `claims` are numbers of the list that it follows from."""

    kind: Literal["fact", "stance", "shift", "no_change"]
    text: str = Field(min_length=1)
    window: str | None = None
    claims: tuple[int, ...]


class WrittenNuggets(_Frozen):
    """The nuggets of one question."""

    nuggets: tuple[WrittenNugget, ...]


def render(given: WriteNuggetsInput) -> str:
    """Return the user message: the claims, the statements, the question."""
    lines = [f"{number}: {claim.day} {claim.text}" for number, claim in enumerate(given.claims)]
    parts = [fence("\n".join(lines), "claims")]
    if given.statements:
        parts.append(fence("\n".join(given.statements), "statements"))
    parts.append(fence(given.question, "question"))
    if given.unchanged:
        parts.append("The view did not change: write one `no_change` nugget and no `shift`.")
    return "\n\n".join([*parts, f"Tier `{given.tier}`. Write in the language with the tag `{given.language}`."])


def check(given: WriteNuggetsInput, made: WrittenNuggets) -> list[str]:
    """Return what is wrong beyond the schema: kinds, windows, claims that do not exist."""
    problems = []
    kinds = [nugget.kind for nugget in made.nuggets]
    if given.tier == "factual" and set(kinds) - {"fact"}:
        problems.append("a factual question has nuggets of kind `fact` only")
    if given.tier == "longitudinal":
        if "fact" in kinds:
            problems.append("a longitudinal question has no nugget of kind `fact`")
        ends = kinds.count("shift") + kinds.count("no_change")
        if ends != 1:
            problems.append(f"{ends} nuggets of kind `shift` or `no_change`, not one")
    for nugget in made.nuggets:
        problems += [f"there is no claim {n}" for n in nugget.claims if not 0 <= n < len(given.claims)]
        if nugget.kind == "stance" and nugget.window is None:
            problems.append(f"a stance without a window: {nugget.text}")
        if nugget.window is not None:
            problems += _window_problem(nugget.window)
    return problems


def _window_problem(window: str) -> list[str]:
    try:
        parse_window(window)
    except UserError as error:
        return [str(error)]
    return []


def by_rules(given: WriteNuggetsInput) -> WrittenNuggets:
    """Return the claims' own words, cut where they hold more than one fact, less what the question says."""
    if given.tier == "factual":
        return WrittenNuggets(nuggets=tuple(_facts(given)))
    return WrittenNuggets(nuggets=tuple(_views(given)))


def _facts(given: WriteNuggetsInput) -> list[WrittenNugget]:
    asked = set(tokens(given.question, given.language))
    return [
        WrittenNugget(kind="fact", text=part, claims=(number,))
        for number, claim in enumerate(given.claims)
        for part in atomic_parts(claim.text, given.language)
        if set(tokens(part, given.language)) - asked
    ]


def atomic_parts(claim: str, language: str) -> list[str]:
    """Cut a sentence into its facts where each part is long enough and has a number of its own."""
    speaker, said = split_speaker(claim)
    parts = _PARTS.split(said)
    if len(parts) < 2 or any(not _stands(part, language) for part in parts):
        return [claim]
    closed = [part[:1].upper() + part[1:].rstrip(".") + "." for part in parts]
    return [f"{speaker}: {part}" if speaker else part for part in closed]


def _stands(part: str, language: str) -> bool:
    strong = [quantity for quantity in numbers(part, language) if not quantity.weak]
    return len(part.split()) >= MIN_PART_WORDS and bool(strong)


def _views(given: WriteNuggetsInput) -> list[WrittenNugget]:
    if not given.claims:
        return []
    first, last = given.claims[0].day, given.claims[-1].day
    span = f"{month_name(first)} - {month_name(last)}"
    everything = tuple(range(len(given.claims)))
    if given.unchanged:
        text = f"The view stayed the same: {_quoted(given.claims[0].text)}"
        return [WrittenNugget(kind="no_change", text=text, window=span, claims=everything)]
    views = [
        WrittenNugget(
            kind="stance", text=given.claims[i].text, window=month_name(given.claims[i].day), claims=(i,)
        )
        for i in _evenly(len(given.claims), MAX_STANCES)
    ]
    shift = (
        f"It moved from {_quoted(given.claims[0].text)} ({month_name(first)})"
        f" to {_quoted(given.claims[-1].text)} ({month_name(last)})."
    )
    return [*views, WrittenNugget(kind="shift", text=shift, window=span, claims=(0, len(given.claims) - 1))]


def _quoted(text: str) -> str:
    return f"“{text.rstrip('.')}”"


def _evenly(count: int, most: int) -> list[int]:
    """Return up to `most` numbers below `count`, the first and the last among them."""
    if count <= most:
        return list(range(count))
    return sorted({round(i * (count - 1) / (most - 1)) for i in range(most)})


WRITE_NUGGETS: Task[WriteNuggetsInput, WrittenNuggets] = Task(
    name="write_nuggets",
    version="1",
    input_type=WriteNuggetsInput,
    output_type=WrittenNuggets,
    render=render,
    baseline=by_rules,
    check=check,
)
