"""Strategies for a career: the same coder call over what an agent gathered, was given, or knows by itself."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from answertrail_pipeline.agents.runs_of import donor_archive
from answertrail_pipeline.agents.session import Agent, Session
from answertrail_pipeline.agents.supervisor import Archive, document_languages, fragment, gather
from answertrail_pipeline.agents.types import Evidence, RetrievedChunk, Trail
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.gold.biographies.people import Person, load_people
from answertrail_pipeline.models.types import Usage
from answertrail_pipeline.retrieval.types import Hit
from answertrail_pipeline.tasks.code_events import CODE_EVENTS, CodedCareer, CodeEventsInput


@dataclass(frozen=True)
class Given:
    """What the coder gets, and what the run's answer can be checked against.

    Attributes:
        fragments: read by the coder, in order.
        retrieved: everything seen, with what was kept.
        searches: as an imported report tells; None where the trail's own searches count.
        detail: for the trail.
    """

    summary: str = ""
    fragments: tuple[Hit, ...] = ()
    retrieved: tuple[RetrievedChunk, ...] = ()
    evidence: Evidence = "retrieved"
    exhausted: bool = False
    searches: int | None = None
    detail: dict[str, Any] = field(default_factory=dict)


Strategy = Callable[[Session, Person], Awaitable[Given]]


async def answer(session: Session) -> Trail:
    """Reconstruct a person's career by the arm's strategy.

    Raises:
        UnitError: `no_person`, or `no_donor` where the donor's run has no finished trail for the person.
    """
    person = _person(session)
    return await code(session, person, await _STRATEGIES[session.arm.settings.biography.strategy](session, person))


def from_prose(imported: Agent) -> Agent:
    """Return the agent that has an imported report coded: prose in, events by the same coder."""

    async def run(session: Session) -> Trail:
        person = _person(session)
        report = await imported(session)
        used = Usage(prompt_tokens=report.prompt_tokens, completion_tokens=report.completion_tokens)
        session.take_in(report.model_calls, used, report.cost_usd)
        given = Given(
            summary=report.answer,
            retrieved=report.retrieved,
            evidence=report.evidence,
            searches=report.searches,
            detail={"prose": report.answer, "cited_by_prose": list(report.citations)},
        )
        return await code(session, person, given)

    return run


async def code(session: Session, person: Person, given: Given) -> Trail:
    """Have the events coded and return the trail; its answer is the coder's JSON."""
    how = session.arm.settings.biography
    languages = document_languages(session)
    career = await session.run(
        "answer",
        CODE_EVENTS,
        CodeEventsInput(
            names=tuple(name for name, _ in person.names),
            country=person.country,
            reference=_reference(session, person),
            summary=given.summary,
            fragments=tuple(fragment(hit, languages) for hit in given.fragments),
        ),
    )
    cited = tuple(dict.fromkeys(each for event in career.events for each in event.chunk_ids))
    detail = {"strategy": how.strategy, "with_reference": how.with_reference, "donor": how.donor, **given.detail}
    searches = {} if given.searches is None else {"searches": given.searches}
    trail = session.trail(
        None,
        answer=coded_answer(career),
        citations=cited,
        retrieved=given.retrieved,
        evidence=given.evidence,
        abstained=not career.events,
        budget_exhausted=given.exhausted,
        detail=detail,
        **searches,
    )
    return replace(trail, model_calls=max(trail.model_calls, given.detail.get("calls", 0) + 1))


def coded_answer(career: CodedCareer) -> str:
    """Return coded events as the text of an answer; `read_answer` reads it back."""
    return json.dumps(career.model_dump(mode="json"), ensure_ascii=False, sort_keys=True)


def read_answer(answer_text: str) -> CodedCareer:
    """Return the coded events of an answer."""
    return CodedCareer.model_validate_json(answer_text)


async def _by_agent(session: Session, person: Person) -> Given:
    """Supervisor and searcher fill the archive; the coder reads summary and archive."""
    archive = await gather(session, person, _reference(session, person), session.arm.settings.biography.max_calls)
    return Given(
        archive.summary, archive.kept, archive.chunks, exhausted=archive.exhausted, detail=_detail(archive)
    )


async def _without_archive(session: Session, person: Person) -> Given:
    """The same agent, but the coder reads its summary only; the archive is stored, so support can be judged."""
    return replace(await _by_agent(session, person), fragments=())


async def _short(session: Session, person: Person) -> Given:
    """A donor's archive and nothing else."""
    kept = donor_archive(session)
    chunks = tuple(RetrievedChunk(hit, 1, rank) for rank, hit in enumerate(kept, 1))
    return Given(fragments=tuple(kept), retrieved=chunks)


async def _long(session: Session, person: Person) -> Given:
    """The whole pages that a donor's archive is from, in the donor's order, cut at the context limit."""
    pages = list(dict.fromkeys(hit.video_id for hit in donor_archive(session)))
    by_page = {chunks[0].video_id: chunks for chunks in session.corpus.transcript() if chunks}
    everything = [hit for page in pages for hit in by_page.get(page, [])]
    taken: list[Hit] = []
    words = 0
    for hit in everything:
        words += max(len(hit.text.split()), len(hit.text) // 4)
        if taken and words > session.arm.settings.biography.context_words:
            break
        taken.append(hit)
    chunks = tuple(RetrievedChunk(hit, 1, rank) for rank, hit in enumerate(taken, 1))
    detail = {"pages": len(pages), "chunks_cut": len(everything) - len(taken)}
    return Given(fragments=tuple(taken), retrieved=chunks, detail=detail)


async def _from_memory(session: Session, person: Person) -> Given:
    """Nothing but the name: whatever is coded has no evidence, and is never added to a truth."""
    return Given(evidence="none")


_STRATEGIES: dict[str, Strategy] = {
    "agent": _by_agent,
    "agent_no_archive": _without_archive,
    "lrm_short": _short,
    "lrm_long": _long,
    "memory": _from_memory,
}


def _detail(archive: Archive) -> dict[str, Any]:
    return {
        "calls": archive.calls,
        "rounds": archive.rounds,
        "gaps": list(archive.gaps),
        "summary": archive.summary,
    }


def _reference(session: Session, person: Person) -> str:
    return (person.reference or "") if session.arm.settings.biography.with_reference else ""


def _person(session: Session) -> Person:
    with session.corpus.database.begin() as connection:
        people = load_people(connection, session.corpus.channel)
    if session.asked.question_id not in people:
        raise UnitError("no_person", f"`{session.asked.question_id}` is nobody of {session.corpus.channel}.")
    return people[session.asked.question_id]
