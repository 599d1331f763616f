"""An agent of yours: asked over HTTP, in Python, as a command, or read from a file of finished answers."""

import re
from dataclasses import replace
from pathlib import Path

from answertrail_pipeline.agents.citations import citation_problems, cited_ids
from answertrail_pipeline.agents.events import AnswerRejected, SearchFinished, SearchStarted
from answertrail_pipeline.agents.external_calls import Call, make_call
from answertrail_pipeline.agents.external_contract import AgentReply, agent_request, read_agent_reply
from answertrail_pipeline.agents.external_files import ANSWER_FILE, call_file
from answertrail_pipeline.agents.passages import Matched, match
from answertrail_pipeline.agents.search_tool import Search
from answertrail_pipeline.agents.session import WRITING_ATTEMPTS, Agent, Session, finish
from answertrail_pipeline.agents.types import RetrievedChunk, Trail
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.tasks.write_answer import WrittenAnswer


def external_agent(endpoint: str, root: Path, timeout: float, find_text: Search) -> Agent:
    """Return the agent behind an endpoint.

    Args:
        root: folder of `answertrail.toml`.
        timeout: seconds for one answer.
        find_text: search by words that matches retrieved texts to chunks.

    Raises:
        UserError: the endpoint cannot be used at all.
    """
    from_file = endpoint.startswith(ANSWER_FILE)
    call = call_file(endpoint, root) if from_file else make_call(endpoint, root, timeout)

    async def answer(session: Session) -> Trail:
        return await _ask(session, call, find_text, attempts=1 if from_file else WRITING_ATTEMPTS)

    return answer


async def _ask(session: Session, call: Call, find_text: Search, attempts: int) -> Trail:
    problems: tuple[str, ...] = ()
    for attempt in range(1, attempts + 1):
        reply = read_agent_reply(await call(agent_request(session.asked, problems)))
        matched = await match(reply.retrieved or (), session.corpus, find_text)
        answer, listed = _in_our_ids(reply, matched)
        problems = tuple(_problems(session, reply, answer, listed, matched))
        if not problems:
            return _trail(session, reply, answer, listed, matched)
        session.recorder.record(AnswerRejected(attempt=attempt, answer=answer, problems=problems))
    raise UnitError("bad_citations", f"after {attempts} attempts: {' '.join(problems)}")


def _in_our_ids(reply: AgentReply, matched: Matched) -> tuple[str, tuple[str, ...]]:
    """Return the answer and its citations with the agent's own names replaced by the ids of our chunks."""
    answer = reply.answer
    for name, ids in sorted(matched.names.items(), key=lambda item: (-len(item[0]), item[0])):
        if ids != (name,):
            answer = re.sub(re.escape(f"[{name}]"), "".join(f"[{each}]" for each in ids), answer)
    if reply.citations is None:
        return answer, cited_ids(answer)
    listed = [each for name in reply.citations for each in matched.names.get(name, (name,))]
    return answer, tuple(dict.fromkeys(listed))


def _problems(
    session: Session, reply: AgentReply, answer: str, listed: tuple[str, ...], matched: Matched
) -> list[str]:
    """Return what is wrong with the citations. An agent may cite without markers, or not at all."""
    if reply.retrieved is None:
        return [] if answer.strip() else ["The answer is empty."]
    inline = cited_ids(answer)
    retrieved = {chunk.hit.chunk_id for chunk in matched.chunks}
    existing = session.corpus.chunks({*inline, *listed}).keys() | retrieved
    listed = listed if inline else ()
    rest = () if inline else tuple(reply.citations or ())
    problems = citation_problems(answer, listed, reply.abstained or not inline, retrieved, existing)
    for name in rest:
        for each in matched.names.get(name, (name,)):
            if each not in retrieved:
                problems.append(f"`{each}` was not retrieved in this run.")
    return problems


def _trail(session: Session, reply: AgentReply, answer: str, listed: tuple[str, ...], matched: Matched) -> Trail:
    session.steps = reply.steps
    chunks = _with_searches(session, reply, matched)
    known = {chunk.hit.chunk_id for chunk in chunks}
    if reply.retrieved is None:
        known = set(session.corpus.chunks(listed))
    citations = tuple(each for each in listed if each in known)
    finish(session.recorder, WrittenAnswer(answer=answer, citations=citations, abstained=reply.abstained))
    return session.trail(
        WrittenAnswer(answer=answer, citations=citations, abstained=reply.abstained),
        citations=citations,
        retrieved=chunks,
        searches=len(reply.searches),
        evidence="none" if reply.retrieved is None else "retrieved",
        model_calls=reply.usage.model_calls or 0,
        prompt_tokens=reply.usage.prompt_tokens,
        completion_tokens=reply.usage.completion_tokens,
        cost_usd=reply.usage.cost_usd,
        detail={
            "foreign_evidence": matched.foreign,
            "unknown_citations": [each for each in listed if each not in known],
            "repeated_searches": len(reply.searches) - len({search.query for search in reply.searches}),
        },
    )


def _with_searches(session: Session, reply: AgentReply, matched: Matched) -> tuple[RetrievedChunk, ...]:
    """Record the searches that the agent reports; return its chunks with the search that found each first."""
    first: dict[str, tuple[int, int]] = {}
    for number, search in enumerate(reply.searches, 1):
        ids = tuple(dict.fromkeys(each for name in search.chunk_ids for each in matched.names.get(name, (name,))))
        new = [each for each in ids if each not in first]
        for rank, each in enumerate(ids, 1):
            first.setdefault(each, (number, rank))
        session.recorder.record(
            SearchStarted(number=number, step=number, query=search.query, since=search.since, until=search.until)
        )
        session.recorder.record(
            SearchFinished(number=number, chunk_ids=ids, new=len(new), seen=len(ids) - len(new))
        )
    placed = []
    for chunk in matched.chunks:
        number, rank = first.get(chunk.hit.chunk_id, (chunk.first_step, chunk.rank))
        placed.append(replace(chunk, first_step=number, rank=rank))
    return tuple(placed)
