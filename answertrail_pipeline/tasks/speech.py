"""A transcript's chunks as sentences with their speakers and chunks, for the rules that read speech."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from answertrail_pipeline.language.sentences import sentences
from answertrail_pipeline.language.stop_words import STOP_WORDS
from answertrail_pipeline.language.tokens import base_language

MIN_TURNS = 3
"""A name before a colon that occurs this often is a speaker's."""
MAX_NAME_WORDS = 5
MARKED_TURNS = 20
"""Captions with so many speakers' turns mark every one, also of people who speak once."""
_COLON = re.compile(r"(?<=[\w)'’.]) ?: ")
_STOPS = (".", "?", "!", "…", ",", ";", ":", '"', "”", "»")


@dataclass(frozen=True)
class SpokenSentence:
    """One sentence of a transcript.

    Attributes:
        chunks: indices of the chunks that it is spoken in, in order.
        speaker: who speaks, where the captions say so.
    """

    text: str
    chunks: tuple[int, ...]
    speaker: str | None = None


def spoken_sentences(chunks: Sequence[str], language: str) -> list[SpokenSentence]:
    """Return the sentences of a video in order; a sentence may begin in one chunk and end in a later one."""
    texts = [" ".join(chunk.split()) for chunk in chunks]
    whole = " ".join(texts)
    starts, at = [], 0
    for text in texts:
        starts.append(at)
        at += len(text) + 1
    found = []
    for turn in _turns(whole, language):
        found += _sentences_of(turn, whole, starts, language)
    return found


@dataclass(frozen=True)
class _Turn:
    """What one person says at a stretch: pieces of the whole text, without the name before each."""

    speaker: str | None
    pieces: tuple[tuple[int, int], ...]


def _turns(whole: str, language: str) -> list[_Turn]:
    marks = _speaker_marks(whole, language)
    turns = [_Turn(None, ((0, marks[0][0] if marks else len(whole)),))]
    for i, (_, end, speaker) in enumerate(marks):
        piece = (end, marks[i + 1][0] if i + 1 < len(marks) else len(whole))
        if turns[-1].speaker == speaker:
            turns[-1] = _Turn(speaker, (*turns[-1].pieces, piece))
        else:
            turns.append(_Turn(speaker, (piece,)))
    return turns


def _speaker_marks(whole: str, language: str) -> list[tuple[int, int, str]]:
    """Return start, end and name of every `Name: ` of a speaker.

    Where the name begins is told by counting: of the words before the colons, the longest run that occurs at
    least half as often as its last word. Where captions mark speakers throughout, a whole sentence start of two or
    more capitalised words is a name too.
    """
    before = [(match.span(), _words_before(whole, match.start())) for match in _COLON.finditer(whole)]
    counts = Counter(run for _, runs in before for run in runs)
    stop = STOP_WORDS.get(base_language(language), frozenset())
    names: list[str | None] = []
    for _, runs in before:
        often = runs and counts[runs[0]] >= MIN_TURNS and runs[0].casefold() not in stop
        names.append(_counted_name(runs, counts) if often else None)
    marked = sum(name is not None for name in names) >= MARKED_TURNS
    marks = []
    for ((start, end), runs), counted in zip(before, names, strict=True):
        name = counted or (_rare_name(runs) if marked else None)
        if name:
            marks.append((start - len(name), end, name))
    return marks


def _counted_name(runs: Sequence[str], counts: Counter[str]) -> str | None:
    name = max((run for run in runs if counts[run] * 2 >= max(counts[runs[0]], 2 * MIN_TURNS)), key=len)
    return name if any(letter.isupper() for letter in name) or counts[name] >= 2 * MIN_TURNS else None


def _rare_name(runs: Sequence[str]) -> str | None:
    words = runs[-1].split(" ") if runs else []
    if not 2 <= len(words) < MAX_NAME_WORDS:  # as many as are looked at: the sentence may begin earlier
        return None
    return runs[-1] if all(word.lstrip("(|")[:1].isupper() or word == "|" for word in words) else None


def _words_before(whole: str, end: int) -> list[str]:
    """Return the last word before a place, the last two, and so on up to the start of its sentence."""
    words = whole[max(0, end - 80) : end].split(" ")[-MAX_NAME_WORDS:]
    runs = []
    for size in range(1, len(words) + 1):
        if size > 1 and words[-size].endswith(_STOPS):
            break
        runs.append(" ".join(words[-size:]))
    return runs


def _sentences_of(turn: _Turn, whole: str, starts: Sequence[int], language: str) -> list[SpokenSentence]:
    text, places = "", []
    for begin, end in turn.pieces:
        piece = whole[begin:end].strip()
        if piece:
            places.append((len(text), begin + len(whole[begin:end]) - len(whole[begin:end].lstrip())))
            text += piece + " "
    found, at = [], 0
    for sentence in sentences(text, language):
        begin = text.find(sentence, at)
        if begin < 0:  # the splitter dropped a list mark inside it
            continue
        at = begin + len(sentence)
        first = _chunk_at(_place_in_whole(begin, places), starts)
        last = _chunk_at(_place_in_whole(at - 1, places), starts)
        found.append(SpokenSentence(sentence, tuple(range(first, last + 1)), turn.speaker))
    return found


def _place_in_whole(offset: int, places: Sequence[tuple[int, int]]) -> int:
    here, there = max(place for place in places if place[0] <= offset)
    return there + offset - here


def _chunk_at(place: int, starts: Sequence[int]) -> int:
    from bisect import bisect_right

    return bisect_right(starts, place) - 1
