"""Names in a text, and whether a name occurs in another text that speech recognition may have garbled."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.language.words import Word, find_words

MIN_FUZZY = 5
"""Shorter names must be spelled as they are."""
FUZZY_RATIO = 80.0
"""Similarity (rapidfuzz ratio, 0-100) from which two longer spellings are one name."""
_MAX_JOINED = 3
_MIN_PLURAL = 3
_NO_NAMES = frozenset({"mr", "mrs", "ms", "dr", "prof", "i", "i'm", "i'll", "i've", "i'd", "ok", "okay", "ai"})


class Name(NamedTuple):
    """A name or a part of one: `Claude` in `Claude Sonnet`.

    Attributes:
        key: lower case, letters and digits only: what names are compared by.
        at: index of its word.
    """

    text: str
    key: str
    at: int


def names(text: str) -> list[Name]:
    """Return the names of a text, part by part, in order."""
    return find_names(find_words(text))


def find_names(words: Sequence[Word]) -> list[Name]:
    """Return the names among the words of a text, part by part, in order.

    A name has a capital letter inside, a digit among its letters, or a capital first letter. A capital at the
    start of a sentence says nothing by itself: there the next word must be a name too, or the word end in `'s`.
    """
    found: list[Name] = []
    for at in range(len(words) - 1, -1, -1):
        word = words[at]
        if _is_name(word, bool(found) and found[-1].at == at + 1):
            bare = re.sub(r"'s?$", "", word.text)
            found.append(Name(bare, name_key(bare), at))
    return [name for name in reversed(found) if name.key]


def _is_name(word: Word, before_name: bool) -> bool:
    text = word.text
    if text.casefold() in _NO_NAMES or not any(letter.isalpha() for letter in text):
        return False
    if not text[0].isalpha():  # 27B is a number, 4o a name
        return not re.fullmatch(r"[\d.,]+(k|m|b|bn|mn|t|tn|x|d|st|nd|rd|th|s)", text.casefold())
    if any(letter.isupper() or letter.isdigit() for letter in text[1:]):
        return True
    if not text[0].isupper() or not tokens(text, "en"):
        return False
    return not word.starts_sentence or before_name or text.endswith("'s")


@lru_cache(maxsize=100_000)
def name_key(text: str) -> str:
    """Return a name's letters and digits in lower case, without a final plural or possessive s."""
    key = "".join(letter for letter in text.casefold() if letter.isalnum())
    return key[:-1] if len(key) > _MIN_PLURAL and key.endswith("s") and not key.endswith("ss") else key


class NameIndex:
    """The words of one text, ready to be asked for names: as written, joined with neighbours, or as initials."""

    def __init__(self, words: Sequence[Word]) -> None:
        keys = [name_key(word.text) for word in words]
        self._places: dict[str, list[int]] = {}
        for at in range(len(keys)):
            for size in range(1, _MAX_JOINED + 1):
                if at + size <= len(keys):
                    self._places.setdefault("".join(keys[at : at + size]), []).append(at)
        self._initials = "".join(key[:1] or " " for key in keys)
        self._fuzzy: dict[str, list[int]] = {}

    def find(self, key: str) -> list[int]:
        """Return the places of a name by its key: exactly, else nearly the same, else spelled out as initials."""
        exact = self._places.get(key)
        if exact is not None:
            return exact
        if key not in self._fuzzy:
            self._fuzzy[key] = self._nearly(key) or self._spelled_out(key)
        return self._fuzzy[key]

    def _nearly(self, key: str) -> list[int]:
        from rapidfuzz import fuzz, process

        if len(key) < MIN_FUZZY or any(letter.isdigit() for letter in key):
            return []
        near = [there for there in self._places if there[:1] == key[:1] and abs(len(there) - len(key)) <= 2]
        best = process.extractOne(key, near, scorer=fuzz.ratio, score_cutoff=FUZZY_RATIO)
        return self._places[best[0]] if best else []

    def _spelled_out(self, key: str) -> list[int]:
        if not 3 <= len(key) <= 6 or not key.isalpha():
            return []
        at = self._initials.find(key)
        return [] if at < 0 else [at]
