"""Whether a text states a claim, by rules: numbers, names and denials must agree, the rest must be covered.

No model and no state. What it cannot see: paraphrase without shared words, who did what to whom, irony. It is
the floor that a real judge must beat (docs/judging.md has its measured agreement).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from answertrail_pipeline.language.lexicon import opposites, reporting, same
from answertrail_pipeline.language.names import NameIndex, find_names, name_key
from answertrail_pipeline.language.negation import find_denials
from answertrail_pipeline.language.numbers import Quantity, find_numbers
from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.language.words import Word, find_words

MIN_COVERAGE = 0.5
"""Share of a claim's weight that the best passage must hold."""
PASSAGE_WORDS = 120
"""Words of a passage: about one and a half chunks of speech."""
MARGIN_WORDS = 40
"""How far around the passage a number or a name may stand."""
SUBJECT_COVERAGE = 0.8
"""Without a question, a text that holds this much of the rest may speak of the claim's subject as "it"."""
MIN_NEW = 1 / 3
"""Share of what the claim says beyond the question that the passage must hold: on topic is not enough."""
_NAME_WEIGHT = 2.0
_DENIAL_REACH = 6


class Ruling(NamedTuple):
    """What the rules say of one claim against one text.

    Attributes:
        detail: of a MISS: `contradicted` (a number, name or denial disagrees) or `not_found`.
        reason: one sentence.
        coverage: share of the claim's weight in the best passage.
        start: first word of the best passage.
    """

    supported: bool
    detail: Literal["contradicted", "not_found"] | None
    reason: str
    coverage: float
    start: int = 0


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


class _Item(NamedTuple):
    """One thing that a claim asks for.

    Attributes:
        places: where the text has it.
        asked: the question names it too.
    """

    kind: Literal["word", "number", "name"]
    text: str
    weight: float
    at: int
    places: list[int]
    asked: bool = False


def rule(claim: str, reading: Reading, context: str = "") -> Ruling:
    """Say whether a text states a claim.

    Args:
        context: what is known without the text (the question): a name that it gives need not be repeated.
    """
    words = find_words(claim)
    items = _items(words, reading, context)
    if not items:
        return Ruling(False, "not_found", "The claim holds no word that could be looked for.", 0.0)
    start, coverage = _best_passage(items)
    low, high = start - MARGIN_WORDS, start + PASSAGE_WORDS + MARGIN_WORDS
    missing = [i for i in items if i.kind != "word" and i.weight and not _within(i.places, low, high)]
    if coverage < MIN_COVERAGE:
        return Ruling(
            False, "not_found", f"Only {coverage:.0%} of the claim's words are in one passage.", coverage, start
        )
    if not context and len(missing) == 1 and _is_subject(missing[0], items):
        rest = _best_passage([item for item in items if item is not missing[0]])[1]
        missing = [] if rest >= SUBJECT_COVERAGE else missing
    new = [item for item in items if item.weight and not item.asked]
    held = sum(_within(item.places, start, start + PASSAGE_WORDS) for item in new)
    if held < MIN_NEW * len(new):
        return Ruling(False, "not_found", "The passage is on the topic, but does not say this.", coverage, start)
    if missing:
        listed = ", ".join(f"`{item.text}`" for item in missing)
        return Ruling(False, "contradicted", f"The passage on this does not say {listed}.", coverage, start)
    disagrees = _denial_disagrees(words, items, reading, low, high) or _opposite_disagrees(
        words, reading, low, high
    )
    if disagrees:
        return Ruling(False, "contradicted", disagrees, coverage, start)
    return Ruling(
        True,
        None,
        f"{coverage:.0%} of the claim's words, with its numbers and names, are in one passage.",
        coverage,
        start,
    )


def _items(words: Sequence[Word], reading: Reading, context: str) -> list[_Item]:
    language = reading.language
    quantities = find_numbers(words, language)
    numeric = {at for quantity in quantities for at in range(quantity.at, quantity.end)}
    found = [
        _Item("number", _shown(words, q), 1.0, q.at, reading.number_places.get((q.kind == "month", q.value), []))
        for q in quantities
        if not q.weak
    ]
    asked = find_words(context)
    known = {name_key(word.text) for word in asked}
    topic = {stem for word in asked for stem in _stems(word.text, language)}
    seen: set[str] = set()
    claim_names = {name.at: name for name in find_names(words)}
    for at, word in enumerate(words):
        if at in numeric:
            continue
        name = claim_names.get(at)
        if name:
            if name.key not in seen:
                weight = 0.0 if name.key in known else _NAME_WEIGHT
                found.append(_Item("name", name.text, weight, at, reading.names.find(name.key)))
            seen.add(name.key)
            continue
        for stem in _stems(word.text, language):
            if stem in seen or (language == "en" and stem in reporting()):
                continue
            seen.add(stem)
            found.append(_Item("word", word.text, 1.0, at, _places(stem, word.text, reading), stem in topic))
    return found


def _is_subject(missing: _Item, items: Sequence[_Item]) -> bool:
    return missing.kind == "name" and missing.at == min(item.at for item in items)


def _shown(words: Sequence[Word], quantity: Quantity) -> str:
    return " ".join(word.text for word in words[quantity.at : quantity.end])


def _places(stem: str, word: str, reading: Reading) -> list[int]:
    if stem in reading.places:
        return reading.places[stem]
    if reading.language == "en":
        near = [at for other in sorted(same().get(stem, ())) for at in reading.places.get(other, [])]
        if near:
            return sorted(near)
    return reading.names.find(name_key(word)) if len(word) > 5 else []


def _best_passage(items: Sequence[_Item]) -> tuple[int, float]:
    """Return where the passage starts that holds most of the claim's weight, and that share."""
    total = sum(item.weight for item in items)
    marks = sorted((at, index) for index, item in enumerate(items) for at in item.places)
    if not marks or not total:
        return 0, 0.0
    held: dict[int, int] = {}
    weight, best, start, left = 0.0, -1.0, 0, 0
    for at, index in marks:
        weight += items[index].weight if not held.get(index) else 0.0
        held[index] = held.get(index, 0) + 1
        while marks[left][0] <= at - PASSAGE_WORDS:
            gone = marks[left][1]
            held[gone] -= 1
            weight -= items[gone].weight if not held[gone] else 0.0
            left += 1
        if weight > best + 1e-9:
            best, start = weight, marks[left][0]
    return start, best / total


def _within(places: Sequence[int], low: int, high: int) -> bool:
    return any(low <= at < high for at in places)


def _denial_disagrees(
    words: Sequence[Word], items: Sequence[_Item], reading: Reading, low: int, high: int
) -> str | None:
    """Return why the claim's denials and the passage's do not agree, or None."""
    denied = find_denials(words, reading.language)
    there = [at for at in reading.denials if low <= at < high]
    for at in denied:
        near = [item for item in items if 0 < item.at - at <= _DENIAL_REACH] or [
            i for i in items if abs(i.at - at) <= _DENIAL_REACH
        ]
        spots = [spot for item in near for spot in item.places if low <= spot < high]
        if not any(abs(spot - no) <= _DENIAL_REACH for spot in spots for no in there):
            return f"The claim denies (`{words[at].text}`), the passage does not."
    return None


def _opposite_disagrees(words: Sequence[Word], reading: Reading, low: int, high: int) -> str | None:
    """Return why a word of the claim stands in the passage as its opposite, or None."""
    if reading.language != "en":
        return None
    claimed = {word.text.casefold() for word in words}
    there = set(reading.lower[max(low, 0) : high])
    for said in sorted(claimed - there):
        against = opposites().get(said, frozenset()) & there
        if against and not against & claimed:
            return f"The claim says `{said}`, the passage `{min(against)}`."
    return None
