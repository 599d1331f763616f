"""The loop: search, read, search again, then write. The model is stateless; the loop owns the history."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from answertrail_pipeline.agents.arms import Arm
from answertrail_pipeline.agents.events import GatheringEnded, ReadyRefused, StepStarted, ToolRefused
from answertrail_pipeline.agents.search_tool import Found
from answertrail_pipeline.agents.session import Session, write_answer
from answertrail_pipeline.agents.types import Asked, Trail
from answertrail_pipeline.models.types import ChatRequest, Message, Tool, ToolCall
from answertrail_pipeline.retrieval.topic import core_topic
from answertrail_pipeline.retrieval.types import Hit, Query
from answertrail_pipeline.settings import RetrieverSettings
from answertrail_pipeline.tasks.fence import FENCE_RULE, fence
from answertrail_pipeline.tasks.next_step import NEXT_STEP, NextStepInput, PastSearch, PlannedSearch

MIN_SEARCHES = 2
"""Different searches before the agent may stop."""
MAX_REFUSALS = 3
"""Then the agent's word is taken."""
MAX_PARALLEL = 12
"""Tool calls of one step that are carried out; the others are refused."""
_NUDGE = "No tool was called. Call `search`, or `ready` if you have enough."


class _Ready(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    reason: str = ""


class _SearchArguments(PlannedSearch):
    model_config = ConfigDict(extra="ignore", frozen=True)

    k: int | None = Field(None, ge=1)


SEARCH = "search"
READY = Tool(
    name="ready",
    description="Enough was found, or nothing more can be: end the search and have the answer written.",
    parameters={
        "type": "object",
        "properties": {"reason": {"type": "string", "description": "Why, in a few words."}},
        "required": ["reason"],
    },
)


def tools(retriever: RetrieverSettings) -> tuple[Tool, Tool]:
    """Return what the model may call; it may say how many passages it wants where the arm lets it."""
    properties = {
        "query": {"type": "string", "description": "What to look for, as a speaker would say it."},
        "since": {"type": ["string", "null"], "description": "First day of a window, YYYY-MM-DD."},
        "until": {"type": ["string", "null"], "description": "Last day of the window, YYYY-MM-DD."},
    }
    if retriever.max_k:
        how_many = f"How many passages, at most {retriever.max_k}; {retriever.k} if not given."
        properties["k"] = {"type": ["integer", "null"], "description": how_many}
    search = Tool(
        name=SEARCH,
        description="Find passages. Returns their ids, dates, titles and full texts.",
        parameters={"type": "object", "properties": properties, "required": ["query"]},
    )
    return search, READY


async def answer(session: Session) -> Trail:
    """Search in up to `max_steps` steps, then write. The end of the budget forces the answer."""
    gather = _by_rules if session.arm.role.is_baseline else _by_model
    exhausted = await gather(session)
    written = await write_answer(session, session.search.best_first())
    return session.trail(written, budget_exhausted=exhausted)


def _end(session: Session, reason: Literal["ready", "nothing_new", "budget"]) -> None:
    session.recorder.record(
        GatheringEnded(step=session.steps, reason=reason, chunks=len(session.search.retrieved))
    )


async def _by_rules(session: Session) -> bool:
    """Gather by the rules of `next_step`; return whether the steps ran out."""
    asked = session.asked
    past: list[PastSearch] = []
    topic = core_topic(asked.text, asked.language)
    for step in range(1, session.arm.settings.max_steps + 1):
        session.steps = step
        session.recorder.record(StepStarted(step=step))
        months = Counter(f"{hit.published_at:%Y-%m}" for hit in session.search.hits)
        decided = await session.run(
            "step",
            NEXT_STEP,
            NextStepInput(
                question=asked.text,
                topic=topic,
                language=asked.language,
                first_date=asked.first_date,
                last_date=asked.last_date,
                past=tuple(past),
                months=dict(sorted(months.items())),
            ),
        )
        if not decided.searches:
            _end(session, "nothing_new")
            return False
        queries = [Query(each.query, each.k, each.since, each.until) for each in decided.searches]
        for found in await session.search.run(step, queries):
            query = found.query
            past.append(
                PastSearch(
                    step=step,
                    query=query.text,
                    since=query.since,
                    until=query.until,
                    found=len(found.result.hits),
                    new=len(found.new),
                )
            )
    _end(session, "budget")
    return True


@dataclass
class _Loop:
    """The history of one conversation, and how often the model was refused."""

    messages: list[Message]
    refusals: int = 0
    shown: set[str] = field(default_factory=set)


async def _by_model(session: Session) -> bool:
    """Gather by a model that calls tools; return whether the steps ran out."""
    loop = _Loop(opening(session.arm, session.asked))
    for step in range(1, session.arm.settings.max_steps + 1):
        session.steps = step
        session.recorder.record(StepStarted(step=step))
        reply = await session.door.chat(
            ChatRequest(
                role=session.arm.role,
                messages=tuple(loop.messages),
                tools=tools(session.arm.settings.retriever),
                tool_choice="required",
                salt=session.asked.salt,
            ),
            session.account,
            task=NEXT_STEP.name,
            task_version=NEXT_STEP.version,
            prompt_hash=NEXT_STEP.prompt_hash,
        )
        session.note_reply("step", reply.call_key, 1, reply.usage, reply.cost_usd)
        loop.messages.append(Message(role="assistant", content=reply.content, tool_calls=reply.tool_calls))
        if await _act(session, loop, reply.tool_calls):
            _end(session, "ready")
            return False
    _end(session, "budget")
    return True


def opening(arm: Arm, asked: Asked) -> list[Message]:
    """Return the messages with which a conversation begins."""
    given = NextStepInput(
        question=asked.text,
        topic=asked.text,
        language=asked.language,
        first_date=asked.first_date,
        last_date=asked.last_date,
    )
    directive = f"Search in the language of the collection, which has the tag `{asked.language}`."
    system = "\n\n".join((NEXT_STEP.system_prompt, FENCE_RULE, arm.recipe, directive))
    steps = f"You have {arm.settings.max_steps} steps."
    return [
        Message(role="system", content=system),
        Message(role="user", content=f"{NEXT_STEP.render(given)} {steps}"),
    ]


async def _act(session: Session, loop: _Loop, calls: Sequence[ToolCall]) -> bool:
    """Carry out the tool calls of one step; return whether the agent may stop now.

    Every call gets its reply, in the order of the calls, as providers demand. Searches run at the same time. A
    step without a call counts as a wish to stop.
    """
    replies: dict[str, str] = {}
    queries: dict[str, Query] = {}
    ready_call: str | None = None
    for place, call in enumerate(calls):
        read = _read_call(call) if place < MAX_PARALLEL else f"At most {MAX_PARALLEL} calls a step."
        if isinstance(read, Query):
            queries[call.id] = read
        elif read is None:
            ready_call = call.id
        else:
            session.recorder.record(ToolRefused(step=session.steps, tool=call.name, problem=read))
            replies[call.id] = f"Error: {read}"
    found = await session.search.run(session.steps, list(queries.values()))
    for call_id, each in zip(queries, found, strict=True):
        replies[call_id] = _shown(each, loop.shown)
    wants_to_stop = ready_call is not None or not calls
    refusal = _refusal(session, loop) if wants_to_stop else None
    if ready_call is not None:
        replies[ready_call] = refusal or "The search is over."
    loop.messages += [Message(role="tool", content=replies[call.id], tool_call_id=call.id) for call in calls]
    if refusal and not calls:
        loop.messages.append(Message(role="user", content=f"{_NUDGE} {refusal}"))
    return wants_to_stop and refusal is None


def _refusal(session: Session, loop: _Loop) -> str | None:
    """Return why the agent must not stop yet, or None where it may."""
    made = session.search.distinct_searches
    if made >= MIN_SEARCHES or loop.refusals >= MAX_REFUSALS:
        return None
    loop.refusals += 1
    reason = f"{made} of at least {MIN_SEARCHES} different searches were made. Search again."
    session.recorder.record(ReadyRefused(step=session.steps, count=loop.refusals, reason=reason))
    return f"Refused: {reason}"


def _read_call(call: ToolCall) -> Query | str | None:
    """Return the query of a search call, None for `ready`, or what is wrong with the call."""
    try:
        if call.name == READY.name:
            _Ready.model_validate_json(call.arguments or "{}")
            return None
        if call.name == SEARCH:
            wanted = _SearchArguments.model_validate_json(call.arguments)
            if not wanted.query.strip():
                return "`query` is empty."
            if wanted.since and wanted.until and wanted.since > wanted.until:
                return f"`since` {wanted.since} is after `until` {wanted.until}."
            return Query(wanted.query, wanted.k, wanted.since, wanted.until)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the arguments"
        return f"{where}: {first['msg']}."
    return f"There is no tool `{call.name}`. The tools are `search` and `ready`."


def _shown(found: Found, shown: set[str]) -> str:
    """Return a search's result as the model sees it: full text of what it has not read yet."""
    hits = found.result.hits
    if not hits:
        return "Nothing was found."
    parts = [_passage(hit, hit.chunk_id in shown) for hit in hits]
    shown.update(hit.chunk_id for hit in hits)
    text = fence("\n\n".join(parts), "passages")
    empty = [each for each in found.result.coverage if not each.get("chunks")]
    if not empty:
        return text
    return f"{text}\n\nPeriods without a passage: {json.dumps(empty, ensure_ascii=False, default=str)}"


def _passage(hit: Hit, read_before: bool) -> str:
    label = f"[{hit.chunk_id}] {hit.published_at.date()} | {hit.title}"
    return f"{label}\n(read before)" if read_before else f"{label}\n{hit.text}"
