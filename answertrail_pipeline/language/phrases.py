"""Noun-like phrases that a speech keeps coming back to: what it is about, found without a dictionary.

A phrase is one to three neighbouring words that carry meaning. It counts as noun-like by the company it keeps:
behind an article, a possessive or a preposition, before `of` or `is`, or written as a name; a word that mostly
follows `to`, `we` or `can` is a verb and no topic.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from answertrail_pipeline.language.generic_words import GENERIC_WORDS
from answertrail_pipeline.language.stop_words import STOP_WORDS
from answertrail_pipeline.language.tokens import base_language

MAX_WORDS = 3
MIN_COUNT = 2
MIN_NOUN_SHARE = 0.45
MIN_GERUND_SHARE = 0.7
"""A word in -ing is as often a verb."""
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s)")
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*|[^\s\w]")

_BEFORE_NOUNS = {
    "en": "a an the this that these those my your our their his its each every any some no of in on for with from"
    " by about into between against without under over per via called",
    "fr": "le la les un une des du de d l ce cette ces mon ma mes notre nos leur leurs son sa ses au aux en sur"
    " pour par avec sans contre",
    "de": "der die das den dem des ein eine einen einem einer eines mein unser ihr sein von vom zum zur im am für"
    " mit über ohne gegen",
    "es": "el la los las un una unos unas de del al su sus mi este esta estos estas en por para con sin sobre",
    "it": "il lo la i gli le un una di del della dei delle al alla nel nella per con senza su questo questa",
    "pt": "o a os as um uma de do da dos das ao no na nos nas por para com sem sobre este esta",
    "nl": "de het een van in op voor met zonder over deze dit mijn onze hun zijn",
}
_BEFORE_VERBS = {
    "en": "to i we you they he she it can could will would should must might may do does did don't doesn't didn't"
    " won't can't i'll we'll you'll let's not never gonna who and",
    "fr": "je tu il elle on nous vous ils elles ne se me te qui",
    "de": "ich du er sie es wir ihr zu man",
    "es": "yo se me te nos que no",
    "it": "io si mi ti ci che non",
    "pt": "eu se me que não nós",
    "nl": "ik je hij ze we te",
}
_AFTER_NOUNS = {"en": "of is are was were has that which"}


@dataclass(frozen=True)
class Phrase:
    """A phrase that recurs.

    Attributes:
        text: lower case, as spoken most often, words joined by a space.
        count: how often it occurs.
        is_name: mostly written with a capital or a digit where no sentence starts.
    """

    text: str
    count: int
    is_name: bool


def recurring_phrases(
    texts: Iterable[str], language: str = "en", min_count: int = MIN_COUNT, without: Iterable[str] = ()
) -> dict[str, Phrase]:
    """Return the noun-like phrases that occur at least `min_count` times in the texts together, by their text.

    Args:
        without: words, lower case, that make no phrase here, such as the names of those who speak.
    """
    code = base_language(language)
    left_out = frozenset(without)
    counts: Counter[str] = Counter()
    nouns: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for text in texts:
        for place in _places(text, code):
            counts[place.text] += 1
            nouns[place.text] += place.noun
            named[place.text] += place.name
    return {
        text: Phrase(text, count, named[text] * 2 > count)
        for text, count in counts.items()
        if count >= min_count
        and _is_topic(text, count, nouns[text], named[text])
        and left_out.isdisjoint(text.split())
    }


def phrases_in(text: str, language: str = "en") -> list[str]:
    """Return every run of one to three meaningful words of a text, lower case, in order, longest first."""
    return [place.text for place in _places(text, base_language(language))]


def _is_topic(text: str, count: int, nouns: int, named: int) -> bool:
    if named * 2 > count:
        return True
    if text.endswith(("ly", "ed")) or (" " not in text and len(text) < 3):
        return False
    return nouns >= (MIN_GERUND_SHARE if text.endswith("ing") else MIN_NOUN_SHARE) * count


@dataclass(frozen=True)
class _Place:
    text: str
    noun: bool
    name: bool


def _places(text: str, language: str) -> list[_Place]:
    words = _WORD.findall(text)
    runs: list[_Place] = []
    start = 0
    for at in range(len(words) + 1):
        if at == len(words) or not _carries_meaning(words[at], language):
            runs += _grams(words, start, at, language)
            start = at + 1
    return runs


def _carries_meaning(word: str, language: str) -> bool:
    lower = word.casefold().replace("’", "'")
    if not word[0].isalnum() or (word[0].isdigit() and not any(letter.isalpha() for letter in word)):
        return False
    if len(word) < 2 or lower in _set(STOP_WORDS, language) or lower in _set(GENERIC_WORDS, language):
        return False
    return "'" not in lower and not _ORDINAL.fullmatch(lower)


def _grams(words: Sequence[str], start: int, end: int, language: str) -> list[_Place]:
    places = []
    for size in range(min(MAX_WORDS, end - start), 0, -1):
        for at in range(start, end - size + 1):
            gram = words[at : at + size]
            before = words[at - 1].casefold() if at else ""
            after = words[at + size].casefold() if at + size < len(words) else ""
            opens = at == 0 or before in {".", "?", "!", ":"}
            name = all(_looks_like_name(word, first and opens) for word, first in _firsts(gram))
            heads = at + size == end  # what stands before another noun only describes it
            noun = name or (heads and _in_noun_place(before, after, at > start, language))
            places.append(_Place(" ".join(word.casefold() for word in gram).replace("’", "'"), noun, name))
    return places


def _in_noun_place(before: str, after: str, described: bool, language: str) -> bool:
    if described or before in _set(_BEFORE_NOUN_SETS, language):
        return True
    return after in _set(_AFTER_NOUN_SETS, language) and before not in _set(_BEFORE_VERB_SETS, language)


def _firsts(gram: Sequence[str]) -> list[tuple[str, bool]]:
    return [(word, at == 0) for at, word in enumerate(gram)]


def _looks_like_name(word: str, opens_sentence: bool) -> bool:
    if any(letter.isdigit() or letter.isupper() for letter in word[1:]):
        return True
    return word[0].isupper() and not opens_sentence


def _sets(lists: dict[str, str]) -> dict[str, frozenset[str]]:
    return {language: frozenset(words.split()) for language, words in lists.items()}


def _set(sets: dict[str, frozenset[str]], language: str) -> frozenset[str]:
    return sets.get(language, frozenset())


_BEFORE_NOUN_SETS = _sets(_BEFORE_NOUNS)
_BEFORE_VERB_SETS = _sets(_BEFORE_VERBS)
_AFTER_NOUN_SETS = _sets(_AFTER_NOUNS)
