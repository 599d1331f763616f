"""From evidence to events: the one coder call of every strategy."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from answertrail_pipeline.language.career_events import CareerEvent, event_from_json
from answertrail_pipeline.tasks.code_events_rules import DatedLine, read_dated_lines
from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.task import Task

MAX_EVENTS = 200


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fragment(_Frozen):
    """A piece of evidence as the coder reads it."""

    chunk_id: str
    language: str
    title: str
    date: str
    text: str


class CodeEventsInput(_Frozen):
    """What is known of one person.

    Attributes:
        names: every name, the main one first.
        reference: the reference text, where the condition gives it.
    """

    names: tuple[str, ...]
    country: str
    reference: str = ""
    summary: str = ""
    fragments: tuple[Fragment, ...] = ()


class AttestedTitle(_Frozen):
    """A title as a source writes it."""

    text: str
    lang: str


class CodedEvent(_Frozen):
    """One office or job."""

    role: Annotated[str, Field(min_length=1, max_length=400)]
    organization: Annotated[str, Field(min_length=1, max_length=400)]
    start: str | None
    end: str
    titles: tuple[AttestedTitle, ...]
    chunk_ids: tuple[str, ...]

    def event(self) -> CareerEvent:
        """Return the event in the program's own type.

        Raises:
            ValueError: a date cannot be read.
        """
        titles = [(title.text, title.lang) for title in self.titles]
        lang = self.titles[0].lang if self.titles else "und"
        return event_from_json({**self.model_dump(), "titles": titles, "lang": lang})


class CodedCareer(_Frozen):
    """All events, in any order."""

    events: tuple[CodedEvent, ...]


def render(given: CodeEventsInput) -> str:
    """Return the user message: the evidence first, then who is meant."""
    parts = []
    if given.fragments:
        listed = "\n\n".join(
            f"[{each.chunk_id}] {each.date} | {each.language} | {each.title}\n{each.text}"
            for each in given.fragments
        )
        parts.append(f"FRAGMENTS\n{fence(listed, 'fragments')}")
    if given.reference:
        parts.append(f"REFERENCE TEXT\n{fence(given.reference, 'reference')}")
    if given.summary:
        parts.append(f"SUMMARY\n{fence(given.summary, 'summary')}")
    who = "; ".join(given.names)
    return "\n\n".join([*parts, f"PERSON\n{fence(f'{who} ({given.country})', 'person')}"])


def by_rules(given: CodeEventsInput) -> CodedCareer:
    """Read dated lines of fragments and reference, and of the summary where there are no fragments."""
    lines: list[tuple[DatedLine, str, str]] = []
    for fragment in given.fragments:
        found = read_dated_lines(fragment.text, fragment.language)
        lines += ((line, fragment.language, fragment.chunk_id) for line in found)
    for text in (given.reference, "" if given.fragments else given.summary):
        lines += ((line, "en", "") for line in read_dated_lines(text, "en"))
    coded: dict[tuple[str, str, str | None, str], CodedEvent] = {}
    for line, language, chunk_id in lines:
        key = (line.role.casefold(), line.organization.casefold(), line.start, line.end)
        known = coded.get(key)
        ids = dict.fromkeys([*(known.chunk_ids if known else ()), *([chunk_id] if chunk_id else [])])
        coded[key] = CodedEvent(
            role=line.role,
            organization=line.organization,
            start=line.start,
            end=line.end,
            titles=(AttestedTitle(text=line.role, lang=language),),
            chunk_ids=tuple(ids),
        )
    return CodedCareer(events=tuple(coded.values())[:MAX_EVENTS])


def check(given: CodeEventsInput, made: CodedCareer) -> list[str]:
    """Return unknown chunk ids, unreadable dates and too long lists."""
    known = {fragment.chunk_id for fragment in given.fragments}
    problems = []
    for number, coded in enumerate(made.events, 1):
        unknown = [each for each in coded.chunk_ids if each not in known]
        if unknown:
            problems.append(f"event {number}: no fragment has the id {', '.join(unknown)}")
        try:
            coded.event()
        except ValueError as error:
            problems.append(f"event {number}: {error}")
    if len(made.events) > MAX_EVENTS:
        problems.append(f"{len(made.events)} events; at most {MAX_EVENTS}")
    return problems


CODE_EVENTS: Task[CodeEventsInput, CodedCareer] = Task(
    name="code_events",
    version="2",
    input_type=CodeEventsInput,
    output_type=CodedCareer,
    render=render,
    baseline=by_rules,
    check=check,
)
