"""A text and a claim, each read once into what the rules compare: stems, numbers, names, denials, with places."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from answertrail_pipeline.language.lexicon import reporting, same
from answertrail_pipeline.language.names import NameIndex, find_names, name_key
from answertrail_pipeline.language.negation import find_denials
from answertrail_pipeline.language.numbers import Quantity, find_numbers
from answertrail_pipeline.language.tokens import base_language, tokens
from answertrail_pipeline.language.words import Word, find_words

NAME_WEIGHT = 2.0


@lru_cache(maxsize=200_000)
def _stems(word: str, language: str) -> tuple[str, ...]:
    return tuple(tokens(word, language))


@dataclass(frozen=True)
class Reading:
    """A text read once, to be asked about many claims."""

    text: str
    language: str = "en"

    @cached_property
    def words(self) -> list[Word]:
        """The text's words in order."""
        return find_words(self.text)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """By stem, the indices of the words that have it."""
        found: dict[str, list[int]] = {}
        for at, word in enumerate(self.words):
            for stem in _stems(word.text, self.language):
                found.setdefault(stem, []).append(at)
        return found

    @cached_property
    def quantities(self) -> list[Quantity]:
        """Numbers and parts of dates."""
        return find_numbers(self.words, self.language)

    @cached_property
    def number_places(self) -> dict[tuple[bool, Decimal], list[int]]:
        """By (is a month, value), where a number stands."""
        found: dict[tuple[bool, Decimal], list[int]] = {}
        for quantity in self.quantities:
            found.setdefault((quantity.kind == "month", quantity.value), []).append(quantity.at)
        return found

    @cached_property
    def names(self) -> NameIndex:
        """Its words as names."""
        return NameIndex(self.words)

    @cached_property
    def denials(self) -> list[int]:
        """Where it denies."""
        return find_denials(self.words, self.language)

    @cached_property
    def lower(self) -> list[str]:
        """The words in lower case."""
        return [word.text.casefold() for word in self.words]

    @cached_property
    def running(self) -> str:
        """The words in lower case, one space around each."""
        return f" {' '.join(self.lower)} "

    def quotes(self, words: Sequence[str]) -> list[int]:
        """Return where the text has these lower-case words in a row."""
        sought, found, at = f" {' '.join(words)} ", [], -1
        while (at := self.running.find(sought, at + 1)) >= 0:
            found.append(self.running.count(" ", 0, at))
        return found

    def number_at(self, is_month: bool, value: Decimal) -> list[int]:
        """Return where a number or a month stands."""
        return self.number_places.get((is_month, value), [])

    def word_at(self, stem: str, word: str) -> list[int]:
        """Return where a word stands, or else words that say the same, or else the word spelled otherwise."""
        if stem in self.places:
            return self.places[stem]
        if base_language(self.language) == "en":
            near = [at for other in sorted(same().get(stem, ())) for at in self.places.get(other, [])]
            if near:
                return sorted(near)
        return self.names.find(name_key(word)) if len(word) > _MIN_SPELLED else []


_MIN_SPELLED = 5
_MAX_HEADING = 5


class Wanted(NamedTuple):
    """One thing that a claim asks for.

    Attributes:
        key: a word's stem, a name's key, or empty for a number.
        at: index of its first word in the claim.
        asked: the question gives it too.
    """

    kind: Literal["word", "number", "month", "name"]
    text: str
    key: str
    value: Decimal
    weight: float
    at: int
    asked: bool = False

    def places(self, reading: Reading) -> list[int]:
        """Return where a text has it."""
        if self.kind in ("number", "month"):
            return reading.number_at(self.kind == "month", self.value)
        if self.kind == "name":
            return reading.names.find(self.key)
        return reading.word_at(self.key, self.text)


@dataclass(frozen=True)
class ReadClaim:
    """What a claim asks for, where it denies, and its words in lower case.

    Attributes:
        heading: how many words stand before a colon that is early in the claim, as in `In March 2025: ...`.
    """

    wanted: tuple[Wanted, ...]
    denials: tuple[int, ...]
    lower: tuple[str, ...]
    heading: int = 0


@lru_cache(maxsize=512)
def read_claim(claim: str, context: str, language: str) -> ReadClaim:
    """Read a claim.

    Args:
        context: the question: a name that it gives is not asked for again.
    """
    words = find_words(claim)
    quantities = find_numbers(words, language)
    numeric = {at for quantity in quantities for at in range(quantity.at, quantity.end)}
    wanted = [
        Wanted("month" if q.kind == "month" else "number", _shown(words, q), "", q.value, 1.0, q.at)
        for q in quantities
        if not q.weak
    ]
    wanted += _words_and_names(words, numeric, find_words(context), language)
    return ReadClaim(
        tuple(wanted),
        tuple(find_denials(words, language)),
        tuple(word.text.casefold() for word in words),
        _heading(words),
    )


def _heading(words: Sequence[Word]) -> int:
    """Return the number of words before the second start, where that comes early; 0 elsewhere."""
    starts = [at for at, word in enumerate(words[: _MAX_HEADING + 1]) if at and word.starts_sentence]
    return starts[0] if starts else 0


def _words_and_names(
    words: Sequence[Word], numeric: set[int], asked: Sequence[Word], language: str
) -> list[Wanted]:
    known = {name_key(word.text) for word in asked}
    topic = {stem for word in asked for stem in _stems(word.text, language)}
    idle = reporting() if base_language(language) == "en" else frozenset()
    names = {name.at: name for name in find_names(words)}
    seen: set[tuple[bool, str]] = {(False, stem) for stem in idle}
    found: list[Wanted] = []
    for at, word in enumerate(words):
        if at in numeric:
            continue
        name = names.get(at)
        if name is None:
            fresh = [stem for stem in _stems(word.text, language) if (False, stem) not in seen]
            found += [Wanted("word", word.text, stem, _NONE, 1.0, at, stem in topic) for stem in fresh]
            seen.update((False, stem) for stem in fresh)
        elif (True, name.key) not in seen:
            given = name.key in known
            found.append(Wanted("name", name.text, name.key, _NONE, 0.0 if given else NAME_WEIGHT, at, given))
            seen.add((True, name.key))
    return found


_NONE = Decimal(0)


def _shown(words: Sequence[Word], quantity: Quantity) -> str:
    return " ".join(word.text for word in words[quantity.at : quantity.end])
