"""Whether a text states a claim, by rules: numbers, names and denials must agree, the rest must be covered.

No model and no state. What it cannot see: paraphrase without shared words, who did what to whom, irony. It is
the floor that a real judge must beat (docs/judging.md has its measured agreement).
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from answertrail_pipeline.language.lexicon import opposites
from answertrail_pipeline.language.reading import ReadClaim, Reading, Wanted, read_claim
from answertrail_pipeline.language.tokens import base_language

MIN_COVERAGE = 0.5
"""Share of a claim's weight that the best passage must hold."""
MIN_NEW = 1 / 3
"""Share of what the claim says beyond the question that the passage must hold: on topic is not enough."""
SUBJECT_COVERAGE = 0.8
"""Without a question, a text that holds this much of the rest may call the claim's subject (`OmegaNet 4`) "it"."""
PASSAGE_WORDS = 120
"""Words of a passage: about one and a half chunks of speech."""
MARGIN_WORDS = 40
"""How far around the passage a number or a name may stand."""
MIN_QUOTE = 5
"""Words in a row from which a claim is quoted, whatever stands around them but a denial."""
_QUOTE_REACH = 5
_OPENERS = """
    and but so then when if now because while since or well though although as after before until also yet
"""
_CLAUSE_OPENERS = frozenset(_OPENERS.split())
_DENIAL_REACH = 6
_DENIED_REACH = 2
"""A word this close behind a denial is denied."""


class Ruling(NamedTuple):
    """What the rules say of one claim against one text.

    Attributes:
        detail: of a MISS: `contradicted` (a number, name, denial or opposite disagrees) or `not_found`.
        reason: one sentence.
        coverage: share of the claim's weight in the best passage.
    """

    supported: bool
    detail: Literal["contradicted", "not_found"] | None
    reason: str
    coverage: float


class _Item(NamedTuple):
    """One thing that a claim asks for, and where the text has it."""

    wanted: Wanted
    places: list[int]

    def within(self, low: int, high: int) -> bool:
        return any(low <= at < high for at in self.places)


def rule(claim: str, reading: Reading, context: str = "") -> Ruling:
    """Say whether a text states a claim.

    Args:
        context: what is known without the text (the question): a name that it gives need not be repeated.
    """
    read = read_claim(claim, context, reading.language)
    items = [_Item(wanted, wanted.places(reading)) for wanted in read.wanted]
    if quoted := _quoted(read, items, reading):
        return quoted
    start, coverage = _best_passage(items)
    low, high = start - MARGIN_WORDS, start + PASSAGE_WORDS + MARGIN_WORDS
    if coverage < MIN_COVERAGE:
        return Ruling(
            False, "not_found", f"Only {coverage:.0%} of the claim's words are in one passage.", coverage
        )
    new = [
        item for item in items if not item.wanted.asked and (item.wanted.kind == "word" or item.within(low, high))
    ]
    held = sum(item.within(low, high) for item in new)
    if held < MIN_NEW * len(new):
        return Ruling(False, "not_found", "The passage is on the topic, but does not say this.", coverage)
    disagrees = (
        _missing(items, low, high, context)
        or _denial_disagrees(read, items, reading, low, high)
        or _opposite_disagrees(read, reading, low, high)
    )
    if disagrees:
        return Ruling(False, "contradicted", disagrees, coverage)
    told = f"{coverage:.0%} of the claim's words, with its numbers and names, are in one passage."
    return Ruling(True, None, told, coverage)


def _quoted(read: ReadClaim, items: Sequence[_Item], reading: Reading) -> Ruling | None:
    """Return the ruling on a claim whose words the text has in a row, with what a heading before them says."""
    said = read.lower[read.heading :]
    spots = reading.quotes(said) if len(said) >= MIN_QUOTE else []
    heads = [item for item in items if item.wanted.at < read.heading and item.wanted.weight]
    if not spots or not all(item.places for item in heads):
        return None
    if not all(any(_denies_quote(no, spot, reading) for no in reading.denials) for spot in spots):
        return Ruling(True, None, "The text says it word for word.", 1.0)
    return None if read.denials else Ruling(False, "contradicted", "The text denies it word for word.", 1.0)


def _denies_quote(no: int, spot: int, reading: Reading) -> bool:
    """Whether a denial before a quotation denies it; further over `that`, as in `it is not true that`.

    Captions have no full stops. A quotation that begins a clause of its own (`then I got out my own`) is denied
    only by a `not` right before it.
    """
    lower = reading.lower
    if base_language(reading.language) == "en" and lower[spot] in _CLAUSE_OPENERS:
        return lower[no] == "not" and _denies(no, spot, reading, 1)
    return _denies(no, spot, reading, _QUOTE_REACH if spot and lower[spot - 1] == "that" else _DENIED_REACH)


def _best_passage(items: Sequence[_Item]) -> tuple[int, float]:
    """Return where the passage starts that holds most of the claim's weight, and that share."""
    total = sum(item.wanted.weight for item in items)
    marks = sorted((at, index) for index, item in enumerate(items) for at in item.places)
    if not marks or not total:
        return 0, 0.0
    held = [0] * len(items)
    weight, best, start, left = 0.0, -1.0, 0, 0
    for at, index in marks:
        weight += 0.0 if held[index] else items[index].wanted.weight
        held[index] += 1
        while marks[left][0] <= at - PASSAGE_WORDS:
            gone = marks[left][1]
            held[gone] -= 1
            weight -= 0.0 if held[gone] else items[gone].wanted.weight
            left += 1
        if weight > best + 1e-9:
            best, start = weight, marks[left][0]
    return start, best / total


def _missing(items: Sequence[_Item], low: int, high: int, context: str) -> str | None:
    """Return which numbers and names the passage lacks, or None."""
    ordered = sorted(items, key=lambda item: item.wanted.at)
    missing = [
        item
        for item in ordered
        if item.wanted.kind != "word" and item.wanted.weight and not item.within(low, high)
    ]
    if not context and missing == _subject(ordered):
        rest = _best_passage([item for item in items if item not in missing])[1]
        missing = [] if rest >= SUBJECT_COVERAGE else missing
    if not missing:
        return None
    return f"The passage on this does not say {', '.join(f'`{item.wanted.text}`' for item in missing)}."


def _subject(ordered: Sequence[_Item]) -> list[_Item]:
    """Return the name that a claim begins with, with the names and numbers right behind it; empty where none."""
    if not ordered or ordered[0].wanted.kind != "name":
        return []
    subject = [ordered[0]]
    for item in ordered[1:]:
        if item.wanted.kind == "word" or item.wanted.at > subject[-1].wanted.at + 1:
            break
        subject.append(item)
    return [item for item in subject if item.wanted.weight]


def _denial_disagrees(
    read: ReadClaim, items: Sequence[_Item], reading: Reading, low: int, high: int
) -> str | None:
    """Return why the claim's denials and the passage's do not agree, or None."""
    there = [at for at in reading.denials if low <= at < high]
    for at in read.denials:
        near = [item for item in items if 0 < item.wanted.at - at <= _DENIAL_REACH] or [
            item for item in items if abs(item.wanted.at - at) <= _DENIAL_REACH
        ]
        spots = [spot for item in near for spot in item.places if low <= spot < high]
        if not any(abs(spot - no) <= _DENIAL_REACH for spot in spots for no in there):
            return f"The claim denies (`{read.lower[at]}`), the passage does not."
    return None if read.denials else _denied_there(items, there, reading, low, high)


def _denied_there(
    items: Sequence[_Item], there: Sequence[int], reading: Reading, low: int, high: int
) -> str | None:
    """Return which word of an affirming claim the passage only ever denies, or None."""
    for item in items:
        spots = [spot for spot in item.places if low <= spot < high]
        if item.wanted.kind != "word" or not spots:
            continue
        if all(any(_denies(no, spot, reading) for no in there) for spot in spots):
            return f"The claim says `{item.wanted.text}`, the passage denies it."
    return None


def _denies(no: int, spot: int, reading: Reading, reach: int = _DENIED_REACH) -> bool:
    """Whether a denial stands close before a word, in the same sentence."""
    between = reading.words[no + 1 : spot + 1]
    return 0 < spot - no <= reach and not any(word.starts_sentence for word in between)


def _opposite_disagrees(read: ReadClaim, reading: Reading, low: int, high: int) -> str | None:
    """Return why a word of the claim stands in the passage as its opposite, or None."""
    if base_language(reading.language) != "en":
        return None
    claimed = set(read.lower)
    there = set(reading.lower[max(low, 0) : high])
    for said in sorted(claimed - there):
        against = opposites().get(said, frozenset()) & there
        if against and not against & claimed:
            return f"The claim says `{said}`, the passage `{min(against)}`."
    return None
