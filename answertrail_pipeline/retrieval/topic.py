"""The topic of a question without its frame ("How did the creator's view of ... evolve from ... through ...").

The frame is the same for every question of its kind, so it pulls both rankings away from the topic (figures in
docs/retrieval.md). The rules read words, not templates: a frame is whatever run of framing words stands before
and behind the topic, in any order and phrasing.
"""

import re
from typing import NamedTuple

from answertrail_pipeline.language.stop_words import STOP_WORDS
from answertrail_pipeline.language.tokens import base_language, tokens
from answertrail_pipeline.retrieval.topic_words import FrameWords, frame_patterns, frame_words
from answertrail_pipeline.time_windows import find_windows

_WORD = re.compile(r"\w+(?:[-'’./+&]\w+)*")
_YEARS = re.compile(r"(?:19|20)\d\d(?:[-/](?:(?:19|20)\d\d|\d\d))?")
_OPENING, _CLOSING = "([{'\"‘“«„", ")]}'\"’”»"
_EDGES = " \t\n,;:.?!¿¡…–—-。？！、，"


class _Word(NamedTuple):
    form: str  # lower case, without a possessive or an elided article
    start: int
    end: int


def core_topic(question: str, language: str) -> str:
    """Return what a question is about: its words without frame and dates.

    A plain search phrase comes back as it is, and so does a question that is nothing but frame. In a language
    without rules only dates go.

    Args:
        language: of the channel; the English frame is tried where that language's is not found.
    """
    text = " ".join(_without_windows(question).split()).strip(_EDGES)
    code = base_language(language)
    for candidate in dict.fromkeys((code, "en")):
        topic = _without_frame(text, candidate)
        if topic != text:
            break
    return topic if tokens(topic, code) else " ".join(question.split())


def _without_windows(question: str) -> str:
    at = 0
    kept = []
    for window in find_windows(question):
        found = question.find(window.text, at)
        kept.append(question[at:found])
        at = found + len(window.text)
    return " ".join([*kept, question[at:]])


def _without_frame(text: str, language: str) -> str:
    frame = frame_words(language)
    if frame is None:
        for pattern in frame_patterns(language):
            text = re.sub(pattern, " ", text)
        return " ".join(text.split()).strip(_EDGES)
    whole = text
    for phrase in frame.phrases:
        text = re.sub(phrase, " ", text, flags=re.IGNORECASE)
    text = " ".join(text.split()).strip(_EDGES)
    words = _words(text, frame)
    small = STOP_WORDS[language] | frame.holders
    first = _after_opening(words, frame, small)
    last = _before_closing(words, first, frame, small)
    nothing_else = all(_is_notion(word.form, frame) for word in words[first:last])
    if first == 0 or nothing_else:  # a search phrase ("climate change"), or nothing but frame
        return whole
    return _without_inner_frames(text, words[first:last], frame, small)


def _words(text: str, frame: FrameWords) -> list[_Word]:
    """Return the words of a text; a verb of change that a dash was squeezed against stands alone."""
    words = []
    for match in _WORD.finditer(text):
        head, dash, tail = match.group().rpartition("-")
        if dash and tail.casefold() in frame.changes:
            words.append(_Word(_form(head), match.start(), match.start() + len(head)))
            words.append(_Word(tail.casefold(), match.end() - len(tail), match.end()))
        else:
            words.append(_Word(_form(match.group()), *match.span()))
    return words


def _form(word: str) -> str:
    lower = word.casefold().replace("’", "'")
    if lower.endswith("'s"):
        return lower[:-2]
    elided, _, rest = lower.partition("'")
    return rest if len(rest) > 2 and len(elided) <= 4 else lower


def _after_opening(words: list[_Word], frame: FrameWords, small: frozenset[str]) -> int:
    """Return where the topic begins: behind small words, verbs of asking, and notions that a link leads on."""
    at = 0
    while at < len(words):
        word = words[at].form
        if word in frame.notions or word in frame.changes:
            behind = _behind_notions(words, at, frame, small)
            if behind is not None:
                at = behind
                continue
        if word not in small and word not in frame.asking and word not in frame.times:
            break
        at += 1
    return at


def _behind_notions(words: list[_Word], at: int, frame: FrameWords, small: frozenset[str]) -> int | None:
    """Return where "assessment and view of the" ends, or None where no link follows the notions."""
    linked = False
    while at < len(words):
        word = words[at].form
        linked = linked or word in frame.links
        if word not in small and word not in frame.links and (linked or not _is_notion(word, frame)):
            break
        at += 1
    return at if linked else None


def _is_notion(word: str, frame: FrameWords) -> bool:
    return word in frame.notions or word in frame.changes


def _before_closing(words: list[_Word], first: int, frame: FrameWords, small: frozenset[str]) -> int:
    """Return where the topic ends: before the verb of change that only small words or a clause follow."""
    for at in range(len(words) - 1, first, -1):
        if words[at].form in frame.changes and _closes(words[at + 1 :], frame, small):
            return _trimmed(words, first, at, frame, small)
    return _trimmed(words, first, len(words), frame, small)


def _closes(rest: list[_Word], frame: FrameWords, small: frozenset[str]) -> bool:
    for word in rest:
        if word.form in frame.clauses:
            return True
        loose = word.form in small or word.form in frame.times or word.form in frame.links
        if not loose and not _YEARS.fullmatch(word.form):
            return False
    return True


def _trimmed(words: list[_Word], first: int, last: int, frame: FrameWords, small: frozenset[str]) -> int:
    loose = small | frame.times
    while last > first and (words[last - 1].form in loose or _YEARS.fullmatch(words[last - 1].form)):
        last -= 1
    return last


def _without_inner_frames(text: str, words: list[_Word], frame: FrameWords, small: frozenset[str]) -> str:
    """Cut "and his assessment of" out of the middle; a notion without its holder may be the topic itself."""
    kept: list[str] = []
    at, since = 0, _with_marks(text, words[0].start, -1, _OPENING)
    while at < len(words):
        held = words[at].form in frame.holders and at + 1 < len(words) and words[at + 1].form in frame.notions
        behind = _behind_notions(words, at + 1, frame, small) if held else None
        if behind is None or behind >= len(words):
            at += 1
            continue
        while at and words[at - 1].form in small:
            at -= 1
        kept.append(text[since : words[at].start])
        at, since = behind, words[behind].start
    kept.append(text[since : _with_marks(text, words[-1].end, 1, _CLOSING)])
    return " ".join(piece.strip(_EDGES) for piece in kept if piece.strip(_EDGES))


def _with_marks(text: str, at: int, step: int, marks: str) -> int:
    """Return a border moved outwards over the brackets and quotation marks that touch it."""
    while 0 <= (beside := at if step > 0 else at - 1) < len(text) and text[beside] in marks:
        at += step
    return at
