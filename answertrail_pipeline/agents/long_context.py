"""The whole transcript, or as much of it as fits, before the model at once. What was cut is reported."""

from collections.abc import Sequence

from answertrail_pipeline.agents.citations import cited_ids
from answertrail_pipeline.agents.events import GatheringEnded
from answertrail_pipeline.agents.session import Session, write_answer
from answertrail_pipeline.agents.types import RetrievedChunk, Trail
from answertrail_pipeline.retrieval.types import Hit

BYTES_PER_TOKEN = 3
"""UTF-8 bytes that one token holds at least, on average: 4 in English, about 3 in Chinese and Japanese. Too low
only wastes room; too high would overflow."""
UNKNOWN_CONTEXT = 128_000
"""Tokens assumed where the model's window is not known."""
PROMPT_TOKENS = 3_000
"""Kept free for the prompt, the question and labels' overhead."""


async def answer(session: Session) -> Trail:
    """Answer from whole videos, spread evenly over time where not all fit.

    The trail holds only the cited chunks: all others were merely before the model.
    """
    session.steps = 1
    videos = session.corpus.transcript()
    shown = fit(videos, _room(session))
    hits = [hit for video in shown for hit in video]
    session.recorder.record(GatheringEnded(step=1, reason="everything_read", chunks=len(hits)))
    written = await write_answer(session, hits)
    by_id = {hit.chunk_id: hit for hit in hits}
    cited = tuple(RetrievedChunk(by_id[each], 1, rank) for rank, each in enumerate(cited_ids(written.answer), 1))
    cut = {
        "shown_videos": len(shown),
        "shown_chunks": len(hits),
        "cut_videos": len(videos) - len(shown),
        "cut_chunks": sum(map(len, videos)) - len(hits),
    }
    return session.trail(written, evidence="cited", retrieved=cited, detail=cut)


def fit(videos: Sequence[list[Hit]], room: int) -> list[list[Hit]]:
    """Return the videos that fit into `room` bytes: all, else an even spread over time, first and last included.

    The spread is the largest number of evenly spaced videos whose labelled texts fit.
    """
    sizes = [sum(map(_bytes, video)) for video in videos]
    if sum(sizes) <= room:
        return list(videos)
    for count in range(len(videos) - 1, 0, -1):
        places = sorted({round(at * (len(videos) - 1) / max(1, count - 1)) for at in range(count)})
        if sum(sizes[place] for place in places) <= room:
            return [videos[place] for place in places]
    return []


def _bytes(hit: Hit) -> int:
    label = f"[{hit.chunk_id}] 2000-01-01 | {hit.title}\n\n\n"
    return len(label.encode("utf-8")) + len(hit.text.encode("utf-8"))


def _room(session: Session) -> int:
    role = session.arm.role
    tokens = UNKNOWN_CONTEXT if role.is_baseline else _context_window(role.model) or UNKNOWN_CONTEXT
    return max(0, tokens - role.max_output_tokens - PROMPT_TOKENS) * BYTES_PER_TOKEN


def _context_window(model: str) -> int | None:
    """Return the input window of a model from LiteLLM's bundled table, or None where it is not listed."""
    from answertrail_pipeline.models.quiet import set_quiet_environment

    set_quiet_environment()
    import litellm

    listed = litellm.model_cost.get(model) or litellm.model_cost.get(model.partition("/")[2]) or {}
    window = listed.get("max_input_tokens")
    return int(window) if window else None
