"""Say whether the view of a topic changed over time, and if so ask how without telling it."""

from datetime import date

from pydantic import BaseModel, ConfigDict

from answertrail_pipeline.language.tokens import base_language
from answertrail_pipeline.tasks.change_rules import Said, find_change
from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.question_rules import month_name
from answertrail_pipeline.tasks.task import Task
from answertrail_pipeline.time_windows import find_windows


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class DatedStatement(_Frozen):
    """A claim with the day of its video."""

    day: date
    text: str


class ComposeLongitudinalInput(_Frozen):
    """A thread, sampled evenly over time where it is long, in order of time.

    Attributes:
        written: questions that exist already, the most alike first.
    """

    topic: str
    claims: tuple[DatedStatement, ...]
    language: str
    written: tuple[str, ...] = ()


class ComposedLongitudinal(_Frozen):
    """A question with the statements of the change and the numbers of its evidence, or the reason for none."""

    changed: bool
    reason: str | None = None
    question: str | None = None
    statements: tuple[str, ...] = ()
    evidence: tuple[int, ...] = ()


def render(given: ComposeLongitudinalInput) -> str:
    """Return the user message: the dated claims, the topic, the questions that exist."""
    lines = [f"{number}: {claim.day} {claim.text}" for number, claim in enumerate(given.claims)]
    parts = [fence("\n".join(lines), "claims"), fence(given.topic, "topic")]
    if given.written:
        parts.insert(0, fence("\n".join(given.written), "existing_questions"))
    return "\n\n".join([*parts, f"Write in the language with the tag `{given.language}`."])


def check(given: ComposeLongitudinalInput, made: ComposedLongitudinal) -> list[str]:
    """Return what is wrong beyond the schema."""
    if not made.changed:
        return [] if made.reason else ["no change, but no reason either"]
    problems = [f"there is no claim {number}" for number in made.evidence if not 0 <= number < len(given.claims)]
    if not made.question or not find_windows(made.question):
        problems.append("the question states no time window")
    if len(set(made.evidence)) < 2:
        problems.append("fewer than two claims as evidence")
    if not made.statements:
        problems.append("no statement of how the view changed")
    return problems


_ASKED = {
    "en": {
        "verdict": "How did the assessment of {topic} develop",
        "date": "How did the planned date of {topic} develop",
        "figure": "How did the figures given for {topic} develop",
    },
    "fr": {
        "verdict": "Comment le jugement porté sur « {topic} » a-t-il évolué",
        "date": "Comment la date prévue pour « {topic} » a-t-elle évolué",
        "figure": "Comment les chiffres donnés pour « {topic} » ont-ils évolué",
    },
}
"""What is asked of a change, by its kind; of any other kind, what was said."""
_ASKED_OF_ANY = {
    "en": "How did what was said about {topic} develop",
    "fr": "Comment ce qui est dit de « {topic} » a-t-il évolué",
}


def by_rules(given: ComposeLongitudinalInput) -> ComposedLongitudinal:
    """Ask how the view developed where the rules see a change; the claims themselves are the statements."""
    said = [Said(claim.day, claim.text) for claim in given.claims]
    change = find_change(said, given.topic, given.language)
    if change is None:
        return ComposedLongitudinal(changed=False, reason="the rules see no change in these claims")
    first, last = given.claims[change.points[0]].day, given.claims[change.points[-1]].day
    return ComposedLongitudinal(
        changed=True,
        question=_question(given.topic, change.kind, first, last, given.language),
        statements=tuple(f"{month_name(given.claims[i].day)}: {given.claims[i].text}" for i in change.points),
        evidence=change.points,
    )


def _question(topic: str, kind: str, first: date, last: date, language: str) -> str:
    code = base_language(language) if base_language(language) in _ASKED else "en"
    asked = _ASKED[code].get(kind, _ASKED_OF_ANY[code]).format(topic=topic)
    if code == "fr":
        return f"{asked} de {first:%Y-%m} à {last:%Y-%m} ?"
    return f"{asked} from {month_name(first)} through {month_name(last)}?"


COMPOSE_LONGITUDINAL: Task[ComposeLongitudinalInput, ComposedLongitudinal] = Task(
    name="compose_longitudinal",
    version="3",
    input_type=ComposeLongitudinalInput,
    output_type=ComposedLongitudinal,
    render=render,
    baseline=by_rules,
    check=check,
)
