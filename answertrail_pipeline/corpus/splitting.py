"""Long paragraph cues, shared out over the windows that they cross, with interpolated times."""

import itertools
import re
from collections.abc import Iterator

from answertrail_pipeline.corpus.formats.clean import CJK
from answertrail_pipeline.corpus.types import Cue

_WORD_START = re.compile(rf"(?<=\s)\S|(?<=[{CJK}])[{CJK}]")
MAX_SENTENCE_SEARCH = 20_000
"""Above so many characters no sentence is looked for: no speech fills a cue with them."""


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
    for begin, end in _sentences(text, language):
        if begin:
            yield begin
        if end - begin > long_characters:
            yield from (match.start() for match in _WORD_START.finditer(text, begin + 1, end))


def _sentences(text: str, language: str) -> Iterator[tuple[int, int]]:
    if len(text) > MAX_SENTENCE_SEARCH:
        yield 0, len(text)
        return
    import sentencex

    begin = 0
    for sentence in sentencex.segment(language, text):
        end = begin + len(sentence)
        leading = len(sentence) - len(sentence.lstrip())
        if leading < len(sentence):
            yield begin + leading, end
        begin = end
