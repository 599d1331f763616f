"""Text cut into sentences without a model: any script, lists, abbreviations, and speech without punctuation."""

import re

from answertrail_pipeline.language.tokens import base_language

LONG_SENTENCE = 40
"""Words from which a sentence is taken for unpunctuated speech and cut at the words that open a new thought."""
MIN_PIECE = 7
_BULLET = re.compile(r"^\s*(?:[-*+•·▪◦‣–—]|\(?\d{1,3}[.)]|\(?(?![A-Z]\. [A-Z]\.)[a-zA-Z][.)])\s+")
_MARKS = re.compile(r"(?:\[[^\[\]]+\]\s*)+[.。]?")
_HEADING = re.compile(r"^\s*(?:#{1,6}\s+|>+\s*)")
_STOPS_UNSPACED = re.compile(r"(?<=[。！？｡︒।॥።؟])(?=[^\s。！？｡।॥።؟」』”’）)\]])")
_OPENERS = """
    so now but okay ok well because however therefore although meanwhile finally anyway basically then
"""
_AFTER_AND = "then now so if we you they it he she i this that there what"
_WORDS = {"openers": frozenset(_OPENERS.split()), "after and": frozenset(_AFTER_AND.split())}


def sentences(text: str, language: str = "en") -> list[str]:
    """Return the sentences of a text in order, trimmed, without list marks and without empty ones.

    Lines are cut first (each item of a list stands alone, wrapped lines of prose are joined), then sentences by
    the rules of the language; a sentence of more than `LONG_SENTENCE` words is cut at words such as `so`, `but`
    or `and then`.
    """
    found: list[str] = []
    for block in _blocks(text):
        for sentence in _split(block, language):
            found += _cut_speech(sentence)
    return _with_marks([sentence for piece in found if (sentence := piece.strip())])


def _with_marks(pieces: list[str]) -> list[str]:
    """Give brackets that stand alone behind a full stop to the sentence before them."""
    joined: list[str] = []
    for piece in pieces:
        if joined and _MARKS.fullmatch(piece):
            joined[-1] += f" {piece}"
        else:
            joined.append(piece)
    return joined


def _blocks(text: str) -> list[str]:
    """Join the wrapped lines of a paragraph; a list item, a heading and an empty line end it."""
    blocks: list[list[str]] = [[]]
    for line in text.replace("\r\n", "\n").split("\n"):
        marked = _BULLET.match(line) or _HEADING.match(line)
        if marked or not line.strip() or line.strip().startswith("|"):
            blocks.append([])
        bare = line[marked.end() :] if marked else line
        if bare.strip():
            blocks[-1].append(bare.strip())
        if _HEADING.match(line):
            blocks.append([])
    return [" ".join(lines) for lines in blocks if lines]


def _split(block: str, language: str) -> list[str]:
    from sentencex import segment

    pieces = []
    for sentence in segment(base_language(language), block):
        pieces += _STOPS_UNSPACED.split(sentence)
    return pieces


def _cut_speech(sentence: str) -> list[str]:
    words = sentence.split()
    if len(words) <= LONG_SENTENCE:
        return [sentence]
    pieces: list[list[str]] = [[]]
    for at, word in enumerate(words):
        after_and = bool(pieces[-1]) and pieces[-1][-1].lower() == "and"
        if len(pieces[-1]) >= MIN_PIECE and not after_and and _opens(word, words[at + 1 : at + 2]):
            pieces.append([])
        pieces[-1].append(word)
    if len(pieces) > 1 and len(pieces[-1]) < MIN_PIECE:
        tail = pieces.pop()
        pieces[-1] += tail
    return [" ".join(piece) for piece in pieces]


def _opens(word: str, behind: list[str]) -> bool:
    bare = word.lower().strip(",")
    if bare == "and":
        return bool(behind) and behind[0].lower() in _WORDS["after and"]
    return bare in _WORDS["openers"]
