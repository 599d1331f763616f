"""Words of a text, as BM25, the rule-based judge and the gates compare them: one way for all three.

Lower case, without stop words, stemmed by the language's Snowball stemmer, then without the accents of Latin
and Greek letters, so that a hastily typed query mostly finds the accented word. A number keeps its decimal
point. A name with a number gives three tokens however it is written: `GPT-5` and `gpt5` both `gpt`, `5`, `gpt5`.
Where no spaces are written (and in Korean, where particles stick to nouns) every two neighbouring characters
make a token: this needs no dictionary and finds a word inside any run of characters.
"""

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from answertrail_pipeline.language.stop_words import STOP_WORDS

if TYPE_CHECKING:
    import regex

TOKENS_VERSION = "1"
"""Raised by hand when the tokens of some text change: part of the fingerprint of every index."""
MAX_TOKEN = 64
"""Longer tokens are cut: captions hold noise, and an index row is limited."""

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ー々"
_WORD = rf"[[\p{{L}}\p{{M}}\p{{N}}]--[{_UNSPACED}]]"
_INVISIBLE = {0x00AD: None, 0x200D: None, 0xFEFF: None}  # soft hyphen, joiner, byte order mark
_ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
_DECIMAL_POINT = frozenset({"en", "zh", "ja", "ko", "th", "hi", "he"})


def tokens(text: str, language: str) -> list[str]:
    """Return the tokens of a text in order, repeated as often as they occur.

    Args:
        language: BCP 47 tag such as `en` or `pt-BR`; a language without a stemmer or stop words does without.
    """
    code = base_language(language)
    words = content_words(text, code)
    algorithm = _ALGORITHMS.get(code)
    if algorithm:
        import Stemmer

        words = Stemmer.Stemmer(algorithm).stemWords(words)  # a stemmer must not be shared between threads
    return [_without_accents(word) for word in words]


def word_pairs(words: Sequence[str]) -> list[str]:
    """Return every two neighbouring tokens as one term, such as `context length`; no token holds a space.

    A token twice in a row makes no pair: a stammer is no phrase.
    """
    return [f"{one} {other}" for one, other in pairwise(words) if one != other]


def content_words(text: str, language: str) -> list[str]:
    """Return the same words as `tokens` before stemming, with their accents."""
    code = base_language(language)
    stop = STOP_WORDS.get(code, frozenset())
    found = []
    for match in _pattern().finditer(_plain(text)):
        if match.group("unspaced"):
            found += _bigrams(match.group("unspaced"))
        else:
            found += [word for word in _spell(match.group(), code) if word not in stop]
    return [word[:MAX_TOKEN] for word in found]


def base_language(language: str) -> str:
    """Return the language of a tag without its script and region: `pt` for `pt-BR`."""
    return language.replace("_", "-").split("-")[0].lower()


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_INVISIBLE)).casefold()


@cache
def _pattern() -> "regex.Pattern[str]":
    import regex

    part = rf"{_WORD}+(?:(?<=\p{{Nd}})[.,]\p{{Nd}}+)*"
    return regex.compile(rf"(?V1)(?P<unspaced>[{_UNSPACED}]+)|{part}(?:[-'’_]{part})*")


def _bigrams(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


@lru_cache(maxsize=100_000)
def _spell(word: str, language: str) -> tuple[str, ...]:
    """Return the words of a compound such as `claude-3.5-sonnet` or `l'économie`."""
    import regex

    spelled: list[str] = []
    name = ""
    for part in regex.split(r"[-'’_]", word):
        letters, digits = _letters_and_digits(part)
        digits = _number(digits, language)
        if letters and digits:
            spelled += [letters, digits, letters + digits] if len(letters) > 1 else [letters + digits]
        elif letters:
            spelled.append(letters)
        else:
            spelled += [digits, name + digits] if name else [digits]
        name = letters if not digits else ""
    return tuple(spelled)


def _letters_and_digits(part: str) -> tuple[str, str]:
    """Split a part before its first digit: `gpt4o` gives `gpt` and `4o`, `4o` gives nothing and `4o`."""
    at = next((index for index, character in enumerate(part) if character.isdigit()), len(part))
    return part[:at], part[at:]


def _number(digits: str, language: str) -> str:
    """Write a number with a decimal point and without separators of thousands, as the language uses them."""
    separator, point = (",", ".") if language in _DECIMAL_POINT else (".", ",")
    first, *groups = digits.split(separator)
    if groups and len(first) <= 3 and all(len(group) == 3 and group.isdigit() for group in groups):
        return first + "".join(groups)
    return digits.replace(point, ".")


@lru_cache(maxsize=100_000)
def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    return unicodedata.normalize("NFC", "".join(map(_without_accent, word)))


def _without_accent(character: str) -> str:
    """Return a Latin or Greek letter without its marks; in other scripts a mark is a vowel or another letter."""
    latin_or_greek = "\u00c0" <= character <= "\u03ff" or "\u1e00" <= character <= "\u1fff"
    return unicodedata.normalize("NFD", character)[0] if latin_or_greek else character
