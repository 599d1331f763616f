"""A text as words with their places, so that numbers, names and negations can be found near each other."""

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import regex

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ー々"


_STOPS = frozenset(".!?;\n•。！？।")


class Word(NamedTuple):
    """One word as written: a date `2025-02-10`, a number, a sign (`%`, `$`), or letters.

    A compound is several words (`GPT-5.2` is `GPT` and `5.2`); in scripts without spaces a word is two characters
    that overlap the next two.

    Attributes:
        starts_sentence: it follows a full stop, a line break or nothing.
    """

    text: str
    start: int
    end: int
    starts_sentence: bool


def find_words(text: str) -> list[Word]:
    """Return the words of a text in order. Widths and forms are made equal (NFKC); case is kept.

    `start` and `end` are places in the NFKC text.
    """
    plain = unicodedata.normalize("NFKC", text).replace("’", "'").replace("\u00ad", "")
    words: list[Word] = []
    before = 0
    for match in _pattern().finditer(plain):
        gap = plain[before : match.start()]
        before = match.end()
        starts = not words or (gap != " " and (not _STOPS.isdisjoint(gap) or gap.rstrip().endswith(":")))
        if match.lastgroup != "unspaced":
            words.append(Word(match.group(), match.start(), match.end(), starts))
            continue
        for at in range(match.start(), max(match.end() - 1, match.start() + 1)):
            words.append(Word(plain[at : at + 2], at, min(at + 2, match.end()), starts and at == match.start()))
    return words


@cache
def _pattern() -> "regex.Pattern[str]":
    import regex

    letters = rf"[[\p{{L}}\p{{M}}]--[{_UNSPACED}]]"
    number = r"\p{Nd}+(?:[.,]\p{Nd}+)*"
    return regex.compile(
        rf"(?V1)\d{{4}}-\d{{2}}-\d{{2}}|[%$€£¥]|(?P<unspaced>[{_UNSPACED}]+)"
        rf"|{letters}+(?:'{letters}+)*(?:{number}{letters}*)*|{number}{letters}*"
    )
