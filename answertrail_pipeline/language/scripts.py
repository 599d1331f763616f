"""One spelling for texts in any script: what roles, organizations, titles and names are compared by."""

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache

SCRIPTS_VERSION = "2"
"""Raised by hand when some text's spelling changes: part of the matcher's version."""
_APOSTROPHES = dict.fromkeys(map(ord, "’‘‛ʼ′´`＇"), "'")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−－"), "-")
_INVISIBLE = dict.fromkeys((0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF))
_SAME_LOOK = str.maketrans("авсԁеһіјкӏмнорԛѕтихуѵԝѐёѓќћґғҝҫҳү", "abcdehijklmhopqstnxyvweeekhrfkcxy")
"""Cyrillic letters by the Latin one that they look like; a token that mixes both scripts is a typing error."""
_LOOKS_CYRILLIC = str.maketrans("abcehikmoptxy", "авсенікмортху")
"""The other way round, for a Cyrillic word with a Latin letter in it."""
_LANGUAGES = {"HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "ja", "HANGUL": "ko", "GREEK": "el", "CYRILLIC": "uk"}
_JOINED = re.compile(r"[^\W_]+")


@lru_cache(maxsize=100_000)
def plain_spelling(text: str) -> str:
    """Return a text without case, accents and punctuation, with one space between words.

    Combining marks go only after Latin, Greek and Cyrillic letters: in other scripts they belong to the letter
    (kana, Hangul, Indic vowels). A token that mixes Latin and Cyrillic letters is written in those of which it has
    more, in Latin ones where that cannot be.

    >>> plain_spelling("Hyōgo  Ministère de l’Action"), plain_spelling("Defen\u0441e"), plain_spelling("ガバナー")
    ("hyogo ministere de l'action", 'defense', 'ガバナー')
    """
    folded = unicodedata.normalize("NFKC", text.translate(_INVISIBLE)).translate(_APOSTROPHES).translate(_DASHES)
    words = [_one_script(word) for word in _without_marks(folded.casefold()).split()]
    return " ".join(_words(" ".join(words)))


@lru_cache(maxsize=100_000)
def exact_title(text: str) -> str:
    """Return a title as titles are compared exactly: NFKC, without case, one kind of apostrophe and of space."""
    folded = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES)
    return " ".join(folded.casefold().split())


def name_words(name: str) -> frozenset[str]:
    """Return the words of a person's name, in no order: `BIDEN, Joseph` and `Joseph Biden` have the same.

    Where no spaces are written the name is one word, with or without the space between its parts.
    """
    words = plain_spelling(name).replace("'", " ").split()
    if words and all(_is_unspaced(word) for word in words):
        return frozenset(("".join(words),))
    return frozenset(words)


def is_named(name: str, text: str) -> bool:
    """Return whether a text names a person: all words of the name, in any order, near each other.

    Words joined by a hyphen are one word: a text about Ann Smith-Jones does not name Ann Smith.
    """
    name, text = (given.translate(_DASHES).replace("-", "") for given in (name, text))
    if not (wanted := name_words(name)):
        return False
    plain = plain_spelling(text)
    if len(wanted) == 1 and _is_unspaced(next(iter(wanted))):
        return next(iter(wanted)) in plain.replace(" ", "")
    words = plain.replace("'", " ").split()
    span = len(wanted) + 2
    places = [at for at, word in enumerate(words) if word in wanted]
    return any(wanted <= set(words[at : at + span]) for at in places)


def language_of_script(text: str) -> str:
    """Return the language that a text's script points to, for texts that name none; English for Latin letters.

    >>> [language_of_script(text) for text in ("平成8年アマロ港湾局長", "장관", "υπουργός", "міністр", "Minister")]
    ['ja', 'ko', 'el', 'uk', 'en']
    """
    counts = Counter(_LANGUAGES.get(_script(letter), "en") for letter in text if letter.isalpha())
    return max(counts, key=lambda language: (counts[language], language), default="en")


def _words(text: str) -> list[str]:
    """Return the words of a text; an apostrophe between letters stays."""
    made = "".join(c if c.isalnum() or unicodedata.category(c).startswith("M") or c == "'" else " " for c in text)
    return [word.strip("'") for word in made.split() if word.strip("'")]


def _without_marks(text: str) -> str:
    if text.isascii():
        return text
    kept: list[str] = []
    base = ""
    for character in unicodedata.normalize("NFD", text):
        if not unicodedata.combining(character):
            base = character
        elif _drops_marks(base):
            continue
        kept.append(character)
    return unicodedata.normalize("NFC", "".join(kept))


@cache
def _drops_marks(letter: str) -> bool:
    return _script(letter) in ("LATIN", "GREEK", "CYRILLIC")


@cache
def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0].split("-")[0] if letter.isalpha() else ""


def _one_script(word: str) -> str:
    return _JOINED.sub(lambda match: _unmixed(match.group()), word)


def _unmixed(word: str) -> str:
    if word.isascii():
        return word
    scripts = Counter(_script(letter) for letter in word)
    if not (scripts["LATIN"] and scripts["CYRILLIC"]):
        return word
    cyrillic = word.translate(_LOOKS_CYRILLIC)
    if scripts["CYRILLIC"] > scripts["LATIN"] and not any(_script(letter) == "LATIN" for letter in cyrillic):
        return cyrillic
    return word.translate(_SAME_LOOK)


def _is_unspaced(word: str) -> bool:
    return bool(word) and all(_script(c) in ("CJK", "HIRAGANA", "KATAKANA", "HANGUL") for c in word if c.isalpha())
