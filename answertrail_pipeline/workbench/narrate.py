"""What an agent did, in words for people: the same for a stored trail and for one that is still going on."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from answertrail_pipeline.agents.citations import cited_ids
from answertrail_pipeline.agents.types import RetrievedChunk, Trail

_BRACKETS = re.compile(r"\[[^\[\]\n]{3,500}\]")
_REASONS = {
    "ready": "the agent found that it has enough",
    "nothing_new": "the last searches found nothing new",
    "budget": "the budget is used up",
    "one_search": "one search is all that this agent does",
    "everything_read": "everything was read",
}


@dataclass(frozen=True)
class Search:
    """One search as it was sent, and what came back; `finished` is None while it is on its way."""

    number: int
    query: str
    period: str
    subqueries: Sequence[str]
    repeated: bool
    finished: bool
    found: Sequence[str]
    new: Sequence[str]


def answer_pieces(answer: str) -> list[tuple[str, str]]:
    """Cut an answer into words and citations: (words, "") or (number of the chunk, chunk id), cited first is 1."""
    pieces: list[tuple[str, str]] = []
    numbers = {chunk_id: str(at) for at, chunk_id in enumerate(cited_ids(answer), start=1)}
    at = 0
    for marker in _BRACKETS.finditer(answer):
        ids = cited_ids(marker.group())
        if not ids:
            continue
        pieces.append((answer[at : marker.start()].rstrip(" "), ""))
        pieces += [(numbers[chunk_id], chunk_id) for chunk_id in ids]
        at = marker.end()
    pieces.append((answer[at:], ""))
    return [piece for piece in pieces if piece[0]]


def cited_first(trail: Trail) -> list[RetrievedChunk]:
    """Return what was retrieved, cited chunks first, in the order of the answer."""
    place = {chunk_id: at for at, chunk_id in enumerate(trail.citations)}
    return sorted(trail.retrieved, key=lambda chunk: place.get(chunk.hit.chunk_id, len(place)))


def searches_of(events: Iterable[Mapping[str, Any]], first_step: Mapping[str, int] | None = None) -> list[Search]:
    """Return the searches in order.

    Args:
        first_step: number of the search that found a chunk first; else the first that came back with it.
    """
    started: dict[int, Mapping[str, Any]] = {}
    finished: dict[int, Mapping[str, Any]] = {}
    for event in events:
        if event["kind"] == "search_started":
            started[event["number"]] = event
        elif event["kind"] == "search_finished":
            finished[event["number"]] = event
    first = dict(first_step or {})
    if first_step is None:
        for number in sorted(finished):
            for chunk_id in finished[number]["chunk_ids"]:
                first.setdefault(chunk_id, number)
    return [_search(number, started[number], finished.get(number), first) for number in sorted(started)]


def _search(
    number: int, sent: Mapping[str, Any], back: Mapping[str, Any] | None, first: Mapping[str, int]
) -> Search:
    found = list(back["chunk_ids"]) if back else []
    return Search(
        number=number,
        query=sent["query"],
        period=_period(sent),
        subqueries=sent.get("subqueries", ()),
        repeated=bool(sent.get("repeated")),
        finished=back is not None,
        found=found,
        new=[chunk_id for chunk_id in found if first.get(chunk_id) == number],
    )


def _period(sent: Mapping[str, Any]) -> str:
    since, until = sent.get("since"), sent.get("until")
    if since and until:
        return f"{since} to {until}"
    return f"since {since}" if since else f"until {until}" if until else ""


def remarks(events: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what else happened, a line each: refusals, why the search ended, a rejected answer, a failure."""
    lines = []
    for event in events:
        match event["kind"]:
            case "tool_refused":
                lines.append(f"A call of {event['tool']} was refused: {event['problem']}")
            case "ready_refused":
                lines.append(f"The agent wanted to answer too early: {event['reason']}")
            case "gathering_ended":
                lines.append(f"Searching ended with {event['chunks']} chunks: {_REASONS[event['reason']]}.")
            case "answer_rejected":
                lines.append(f"Attempt {event['attempt']} was rejected: {'; '.join(event['problems'])}")
            case "failed":
                lines.append(f"No answer: {event['message']}")
    return lines
