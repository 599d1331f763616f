"""Cues to chunks: fixed windows on a grid from 0; every word in exactly one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from answertrail_pipeline.corpus.formats.clean import join_all
from answertrail_pipeline.corpus.marks import without_marks
from answertrail_pipeline.corpus.splitting import split_at_windows
from answertrail_pipeline.corpus.types import Chunk, Cue


@dataclass(frozen=True)
class ChunkRules:
    """How cues become chunks; part of the fingerprint.

    Attributes:
        window_seconds: width of a window.
        long_cue_seconds: a longer cue that crosses a window's border is split.
        language: of the track, for finding sentence ends.
    """

    window_seconds: int
    long_cue_seconds: float
    language: str


def chunk_cues(video_id: str, cues: Sequence[Cue], invented: Sequence[bool], rules: ChunkRules) -> list[Chunk]:
    """Cut a video's cues into chunks.

    A cue belongs to the window in which it starts, whole; only a long cue (see `split_at_windows`) is shared out.
    A window without cues makes no chunk.

    Args:
        video_id: the chunk ids begin with it.
        cues: normalized, in order.
        invented: for each cue, whether it is repeated invented text.
        rules: window width and the like.
    """
    chunks: list[Chunk] = []
    window: list[tuple[Cue, bool]] = []
    current = -1
    for cue, made_up in _pieces(cues, invented, rules):
        second = int(cue.start // rules.window_seconds) * rules.window_seconds
        if second != current and window:
            chunks.append(_chunk(video_id, current, len(chunks), window))
            window = []
        current = second
        window.append((cue, made_up))
    if window:
        chunks.append(_chunk(video_id, current, len(chunks), window))
    return chunks


def _pieces(cues: Sequence[Cue], invented: Sequence[bool], rules: ChunkRules) -> Iterator[tuple[Cue, bool]]:
    """Yield the cues with long ones split, in order of time."""
    for cue, made_up in zip(cues, invented, strict=True):
        if cue.end - cue.start <= rules.long_cue_seconds:
            yield cue, made_up
        else:
            for piece in split_at_windows(cue, rules.window_seconds, rules.long_cue_seconds, rules.language):
                yield piece, made_up


def _chunk(video_id: str, second: int, position: int, window: list[tuple[Cue, bool]]) -> Chunk:
    spoken, marks, any_real = [], 0, False
    for cue, made_up in window:
        words, found = without_marks(cue.text)
        marks += found
        if not made_up:
            spoken.append(words)
            any_real |= bool(words)
    return Chunk(
        chunk_id=f"{video_id}:{second:05d}",
        position=position,
        start_seconds=window[0][0].start,
        end_seconds=max(cue.end for cue, _ in window),
        text=join_all([cue.text for cue, _ in window]),
        spoken_text=join_all(spoken),
        invented=not any_real and any(made_up for _, made_up in window),
        marks=marks,
    )
