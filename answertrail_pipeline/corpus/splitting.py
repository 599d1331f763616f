"""Long paragraph cues, shared out over the windows that they cross, with interpolated times."""

import itertools
from collections.abc import Iterator

from answertrail_pipeline.corpus.sentences import sentences, word_starts
from answertrail_pipeline.corpus.types import Cue


def split_at_windows(cue: Cue, window: int, long_seconds: float, language: str) -> list[Cue]:
    """Split a long cue where it crosses the border of a window.

    Time is interpolated over its characters. A sentence belongs to the window in which it starts; a sentence that
    is itself longer than `long_seconds` is cut at the first word of the next window. What lies in one window
    stays one piece, so no word and no space is lost.

    Args:
        cue: with end after start.
        window: width of a window in seconds.
        long_seconds: from which duration on a sentence is cut between words.
        language: of the text, for finding sentence ends.
    """
    if cue.end <= (cue.start // window + 1) * window or not cue.text:
        return [cue]
    rate = (cue.end - cue.start) / len(cue.text)
    cuts: list[tuple[int, float]] = []
    current = cue.start // window
    for offset in _starts(cue.text, long_seconds / rate, language):
        time = round(cue.start + offset * rate, 3)
        if time // window > current:
            cuts.append((offset, time))
            current = time // window
    borders = [(0, cue.start), *cuts, (len(cue.text), cue.end)]
    return [
        Cue(start, end, cue.text[begin:stop].strip())
        for (begin, start), (stop, end) in itertools.pairwise(borders)
    ]


def _starts(text: str, long_characters: float, language: str) -> Iterator[int]:
    """Yield the offsets where the text may be cut: sentence starts, and word starts in long sentences."""
    for begin, end in sentences(text, language):
        if begin:
            yield begin
        if end - begin > long_characters:
            yield from word_starts(text, begin, end)
