"""Documents to chunks: windows of about so many words, on paragraph borders."""

import itertools
import re
from collections.abc import Iterator, Sequence

from answertrail_pipeline.corpus.formats.clean import CJK
from answertrail_pipeline.corpus.sentences import sentences, word_starts
from answertrail_pipeline.corpus.types import Chunk

# Scripts that write no spaces between words; Thai, Lao, Burmese and Khmer beside the CJK ones.
_SPACELESS = re.compile(rf"[{CJK}\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_STRETCH = 1.5
"""A window may be so much longer than asked for, before a paragraph is cut for it."""


def chunk_document(
    doc_id: str, paragraphs: Sequence[str], words: int, characters: int, language: str
) -> list[Chunk]:
    """Cut a document into windows of about `words` words, or `characters` characters of a script without spaces.

    A window ends where a paragraph ends; a paragraph that is longer than a window and a half is cut at sentence
    ends, and a sentence that long between words. The id holds the offset of the window's first character in the
    paragraphs joined by newlines.
    """
    pieces: list[tuple[int, str]] = []
    offset = 0
    for paragraph in paragraphs:
        pieces += ((offset + begin, text) for begin, text in _cut(paragraph, words, characters, language))
        offset += len(paragraph) + 1
    chunks: list[Chunk] = []
    for window in _windows(pieces, words, characters):
        first, last = window[0], window[-1]
        text = "\n".join(piece for _, piece in window)
        chunks.append(
            Chunk(
                f"{doc_id}:{first[0]:05d}", len(chunks), float(first[0]), float(last[0] + len(last[1])), text, text
            )
        )
    return chunks


def _windows(pieces: Sequence[tuple[int, str]], words: int, characters: int) -> Iterator[list[tuple[int, str]]]:
    """Group pieces: a window is closed when it is full, or when the next piece would stretch it too far."""
    window: list[tuple[int, str]] = []
    size = 0.0
    for piece in pieces:
        more = _size(piece[1], words, characters)
        if window and (size >= 1 or (size >= 0.5 and size + more > _STRETCH)):
            yield window
            window, size = [], 0.0
        window.append(piece)
        size += more
    if window:
        yield window


def _size(text: str, words: int, characters: int) -> float:
    """Return a text's size as a share of a window."""
    spaceless = len(_SPACELESS.findall(text))
    return spaceless / characters + (len(_SPACELESS.sub(" ", text).split()) if text else 0) / words


def _cut(paragraph: str, words: int, characters: int, language: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a paragraph, each no longer than a stretched window, with their offsets."""
    if _size(paragraph, words, characters) <= _STRETCH:
        yield 0, paragraph
        return
    units: list[tuple[int, str]] = []
    for begin, end in sentences(paragraph, language):
        if _size(paragraph[begin:end], words, characters) <= _STRETCH:
            units.append((begin, paragraph[begin:end]))
        else:
            borders = [begin, *word_starts(paragraph, begin, end), end]
            units += ((at, paragraph[at:after].rstrip()) for at, after in itertools.pairwise(borders))
    for window in _windows(units, words, characters):
        begin, end = window[0][0], window[-1][0] + len(window[-1][1])
        yield begin, paragraph[begin:end]
