"""Where a text may be cut: sentence starts, and word starts."""

import re
from collections.abc import Iterator

from answertrail_pipeline.corpus.formats.clean import CJK, is_cjk

_WORD_START = re.compile(rf"(?<=\s)\S|(?<=[{CJK}])[{CJK}]")
MAX_SEARCHED = 200_000
"""Above so many characters no sentence is looked for, only words."""


def sentences(text: str, language: str) -> list[tuple[int, int]]:
    """Return begin and end of each sentence, without the white space between them.

    A sentence begins after white space or between CJK characters, never inside a word (`1.5`, `w?X`).
    """
    if len(text) > MAX_SEARCHED:
        return [(0, len(text))]
    import sentencex

    starts = [0]
    offset = 0
    for sentence in sentencex.segment(language, text):
        begin = offset + len(sentence) - len(sentence.lstrip())
        if 0 < begin < len(text) and _may_begin(text, begin):
            starts.append(begin)
        offset += len(sentence)
    if offset != len(text):
        return [(0, len(text))]
    ends = [*starts[1:], len(text)]
    return [(begin, end - _trailing_space(text, begin, end)) for begin, end in zip(starts, ends, strict=True)]


def _may_begin(text: str, at: int) -> bool:
    return text[at - 1].isspace() or (is_cjk(text[at - 1]) and is_cjk(text[at]))


def _trailing_space(text: str, begin: int, end: int) -> int:
    piece = text[begin:end]
    return len(piece) - len(piece.rstrip())


def word_starts(text: str, begin: int, end: int) -> Iterator[int]:
    """Yield where words begin after `begin`; between any two CJK characters a word may begin."""
    return (match.start() for match in _WORD_START.finditer(text, begin + 1, end))
