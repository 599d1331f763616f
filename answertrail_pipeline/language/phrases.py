"""Noun-like phrases of a speech: what it is about, found without a dictionary.

A phrase is one to three neighbouring words that carry meaning. It counts as noun-like by the company it keeps:
behind an article, a possessive or a preposition, before `of` or `is`, or written as a name; a word that mostly
follows `to`, `we` or `can` is a verb and no topic.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from answertrail_pipeline.language.generic_words import GENERIC_WORDS
from answertrail_pipeline.language.stop_words import STOP_WORDS
from answertrail_pipeline.language.tokens import base_language

MAX_WORDS = 3
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
_AFTER_VERBS = {"en": "a an the my our your his her its their it them him me us off out away"}
_DESCRIBING = {
    "en": "body field group hand head lead level life line power process space stage table task track video word"
    " work world"
}
"""General words that name something with the noun behind them ("world model", "power plant")."""


@dataclass(frozen=True)
class Phrase:
    """A noun-like phrase.

    Attributes:
        text: lower case, words joined by a space.
        count: how often it occurs in all the texts.
        is_name: mostly written with a capital or a digit where no sentence starts.
    """

    text: str
    count: int
    is_name: bool


def noun_phrases(texts: Iterable[str], language: str = "en", without: Iterable[str] = ()) -> list[list[Phrase]]:
    """Return the noun-like phrases of each text in order, longest first, each once, nested ones too.

    What a phrase is, is judged by all the texts together: a word that is a noun here and a verb there is what it
    mostly is.

    Args:
        without: words, lower case, that make no phrase here, such as the names of those who speak.
    """
    code = base_language(language)
    left_out = frozenset(without)
    places = [_places(text, code) for text in texts]
    counts: Counter[str] = Counter()
    nouns: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for place in itertools.chain.from_iterable(places):
        counts[place.text] += 1
        nouns[place.text] += place.noun
        named[place.text] += place.name
    phrases = {
        text: Phrase(text, count, named[text] * 2 > count)
        for text, count in counts.items()
        if _is_topic(text, count, nouns[text], named[text]) and left_out.isdisjoint(text.split())
    }
    return [
        [phrases[text] for text in dict.fromkeys(p.text for p in of_text) if text in phrases] for of_text in places
    ]


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
    found: list[_Place] = []
    start = 0
    for at in range(len(words) + 1):
        ends = at == len(words) or not _carries_meaning(words[at], language)
        if ends or (at > start and _opens_run(words[at], language)):
            found += _run(words, start, at, language)
            start = at + 1 if ends else at
    return found


def _opens_run(word: str, language: str) -> bool:
    """Whether a word stands before nouns, if it is no verb, but never behind them ("distributed")."""
    return language == "en" and word.endswith("ed") and word.islower()


def _run(words: Sequence[str], start: int, end: int, language: str) -> list[_Place]:
    """Return the phrases of a run of meaningful words, without a verb that closes it ("cork seals keep the")."""
    if end - start > 1 and end < len(words) and words[end - 1].islower() and _follows_verb(words[end], language):
        end -= 1
    described = start > 0 and words[start - 1].casefold() in _set(_DESCRIBING_SETS, language)
    return _grams(words, start - described, end, start, language)


def _follows_verb(word: str, language: str) -> bool:
    return word[0].isdigit() or word.casefold() in _set(_AFTER_VERB_SETS, language)


def _carries_meaning(word: str, language: str) -> bool:
    lower = word.casefold().replace("’", "'")
    if not word[0].isalnum() or (word[0].isdigit() and not any(letter.isalpha() for letter in word)):
        return False
    if word[0].isdigit() and "-" in word:  # "15-year" only describes
        return False
    if word == "us" and language == "en":  # "US" is a name
        return False
    if len(word) < 2 or lower in _set(STOP_WORDS, language) or lower in _set(GENERIC_WORDS, language):
        return False
    return "'" not in lower and not _ORDINAL.fullmatch(lower)


def _grams(words: Sequence[str], start: int, end: int, alone: int, language: str) -> list[_Place]:
    """Return the phrases between two places; before `alone` stands a word that makes none by itself."""
    places = []
    for size in range(min(MAX_WORDS, end - start), 0, -1):
        for at in range(start if size > 1 else alone, end - size + 1):
            gram = words[at : at + size]
            before = words[at - 1].casefold() if at else ""
            after = words[at + size].casefold() if at + size < len(words) else ""
            opens = at == 0 or before in {".", "?", "!", ":"}
            name = all(_looks_like_name(word, first and opens) for word, first in _firsts(gram))
            heads = at + size == end  # what stands before another noun only describes it
            noun = name or (heads and _in_noun_place(gram, before, after, at > start, language))
            places.append(_Place(" ".join(word.casefold() for word in gram).replace("’", "'"), noun, name))
    return places


def _in_noun_place(gram: Sequence[str], before: str, after: str, described: bool, language: str) -> bool:
    verb_before = before in _set(_BEFORE_VERB_SETS, language)
    if described or before in _set(_BEFORE_NOUN_SETS, language) or before[:1].isdigit():
        return True
    if len(gram) > 1 and not gram[-1].endswith("ing"):  # two words of meaning in a row mostly end in a noun
        return not verb_before
    return after in _set(_AFTER_NOUN_SETS, language) and not verb_before


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
_AFTER_VERB_SETS = _sets(_AFTER_VERBS)
_DESCRIBING_SETS = _sets(_DESCRIBING)
