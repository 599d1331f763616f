"""Numbers and dates of a text as values: `41 %`, `forty one percent` and `41%` are one number."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from answertrail_pipeline.language.tokens import base_language
from answertrail_pipeline.language.words import Word, find_words

if TYPE_CHECKING:
    import re

_SCALES = {
    "hundred": 2, "thousand": 3, "k": 3, "million": 6, "mn": 6, "m": 6, "billion": 9, "bn": 9, "b": 9,
    "trillion": 12, "tn": 12, "t": 12, "tausend": 3, "millionen": 6, "milliarden": 9, "mille": 3, "millions": 6,
    "milliards": 9, "mil": 3, "millones": 6, "billions": 9, "trillions": 12,
}  # fmt: skip
_SUFFIXES = {**{name: _SCALES[name] for name in ("k", "m", "mn", "b", "bn", "t", "tn")}, "x": 0, "d": 0, "": 0}
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_PERCENT = frozenset({"%", "percent", "percentage", "pct", "prozent", "porcentaje", "パー"})
_MONTH_NAMES = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
                "november", "december")  # fmt: skip
_MONTHS = {form: n for n, name in enumerate(_MONTH_NAMES, 1) for form in (name, name[:3])} | {"sept": 9}
_ALSO_WORDS = frozenset({"may", "march", "mar", "dec", "sep", "jan"})
_FRACTIONS = {"half": "0.5", "halves": "0.5", "quarter": "0.25"}
_SPELLED = frozenset({"en", "fr", "de", "es", "pt", "it", "nl", "ca"})
_DECIMAL_COMMA = frozenset(
    {"de", "fr", "es", "it", "pt", "nl", "ru", "pl", "el", "tr", "id", "sv", "da", "nb", "fi", "cs", "uk", "ca"}
)


class Quantity(NamedTuple):
    """A number or a part of a date.

    Attributes:
        at: index of its first word; `end` is one past its last.
        weak: so common a word (`one`, `second`, `half`) that a claim's use of it asks for nothing.
    """

    kind: Literal["number", "percent", "month"]
    value: Decimal
    at: int
    end: int
    weak: bool = False


def numbers(text: str, language: str = "en") -> list[Quantity]:
    """Return the numbers and dates of a text in order of place."""
    return find_numbers(find_words(text), language)


def find_numbers(words: Sequence[Word], language: str = "en") -> list[Quantity]:
    """Return the numbers and dates among the words of a text in order of place.

    A date gives its parts: `February 10th, 2025` and `2025-02-10` both give month 2, 10 and 2025. A number is
    multiplied by the scale behind it (`1.5 million`, `27B`). Letters with a digit inside (`o3`, `S1`) are names.
    """
    lower = [word.text.casefold() for word in words]
    found = [*_written(words, lower, base_language(language)), *_spelled(words, lower, base_language(language))]
    found += _months(words, lower)
    return sorted(_with_percent(found, lower), key=lambda quantity: (quantity.at, quantity.end))


def _written(words: Sequence[Word], lower: Sequence[str], language: str) -> list[Quantity]:
    found: list[Quantity] = []
    for at, word in enumerate(lower):
        if not word[0].isdigit():
            continue
        if len(word) == 10 and word[4] == "-":
            year, month, day = word.split("-")
            found += [Quantity("number", Decimal(year), at, at + 1), Quantity("month", Decimal(month), at, at + 1)]
            found.append(Quantity("number", Decimal(day), at, at + 1))
            continue
        match = _number_word().fullmatch(word)
        value = _value(match.group(1), language) if match else None
        if match is None or value is None:
            continue
        suffix = match.group(2)
        if suffix in _ORDINALS:
            found.append(Quantity("number", value, at, at + 1))
        elif suffix in _SUFFIXES:
            power, end = _SUFFIXES[suffix], at + 1
            if not suffix and _is_scale(words, lower, end):
                power, end = _SCALES[lower[end]], end + 1
            found.append(Quantity("number", value * 10**power, at, end))
    return found


def _is_scale(words: Sequence[Word], lower: Sequence[str], at: int) -> bool:
    """Whether a word multiplies the number before it: `1.5 million`, but not `In 2025: hundred and twelve`."""
    return at < len(lower) and len(lower[at]) > 1 and lower[at] in _SCALES and not words[at].starts_sentence


@cache
def _number_word() -> "re.Pattern[str]":
    import re

    return re.compile(r"(\d+(?:[.,]\d+)*)(\D*)")


def _value(digits: str, language: str) -> Decimal | None:
    separator, point = (".", ",") if language in _DECIMAL_COMMA else (",", ".")
    first, *groups = digits.split(separator)
    if groups and len(first) <= 3 and all(len(group.split(point)[0]) == 3 for group in groups):
        digits = first + "".join(groups)
    try:
        return Decimal(digits.replace(",", ".")).normalize()
    except InvalidOperation:  # 1.2.3: a version, not a number
        return None


class _SpokenWord:
    """What text_to_num wants of a word."""

    def __init__(self, word: str) -> None:
        self._word = word

    def text(self) -> str:
        return self._word

    def nt_separated(self, _previous: object) -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return self._word[0].isdigit() or self._word == "the"


def _spelled(words: Sequence[Word], lower: Sequence[str], language: str) -> list[Quantity]:
    found = [
        Quantity("number", Decimal(value), at, at + 1, weak=True)
        for at, word in enumerate(lower)
        if (value := _FRACTIONS.get(word))
    ]
    if language not in _SPELLED:
        return found
    import text_to_num

    occurrences = text_to_num.find_numbers([_SpokenWord(word) for word in lower], language, 0.0)
    spoken = [
        Quantity("number", Decimal(repr(o.value)).normalize(), o.start, o.end, weak=_is_weak(o))
        for o in occurrences
        if not any(word[0].isdigit() for word in lower[o.start : o.end])
        and not (o.start and _is_scale(words, lower, o.start) and lower[o.start - 1][0].isdigit())
        and list(lower[o.start - 1 : o.end]) != ["pour", "cent"]
    ]
    return _join_halves(found + _join_scales(_join_years(spoken, lower), lower), lower)


def _is_weak(occurrence: Any) -> bool:
    return bool(occurrence.value == 1 or (occurrence.is_ordinal and occurrence.value < 10))


def _join_years(spoken: list[Quantity], lower: Sequence[str]) -> list[Quantity]:
    """Join what is said as two numbers: `twenty` `sixteen`, `nineteen` `ninety nine`, `twenty oh five`."""
    joined: list[Quantity] = []
    for quantity in spoken:
        before = joined[-1] if joined else None
        if before and before.value in (19, 20) and before.end - before.at == 1:
            adjacent = quantity.at == before.end and 10 <= quantity.value <= 99
            oh = quantity.at == before.end + 1 and lower[before.end] in ("oh", "o") and 1 <= quantity.value <= 9
            if adjacent or oh:
                joined[-1] = Quantity("number", before.value * 100 + quantity.value, before.at, quantity.end)
                continue
        joined.append(quantity)
    return joined


def _join_scales(spoken: list[Quantity], lower: Sequence[str]) -> list[Quantity]:
    """Join a decimal with the scale behind it: `two point five` `billion`."""
    joined: list[Quantity] = []
    for quantity in spoken:
        scale = lower[quantity.at] if quantity.end - quantity.at == 1 else ""
        if joined and joined[-1].end == quantity.at and scale in _SCALES and joined[-1].value < 1000:
            before = joined[-1]
            joined[-1] = Quantity(
                "number", (before.value * 10 ** _SCALES[scale]).normalize(), before.at, quantity.end
            )
        else:
            joined.append(quantity)
    return joined


def _join_halves(found: list[Quantity], lower: Sequence[str]) -> list[Quantity]:
    """Join `three and a half`."""
    half = {quantity.at: quantity for quantity in found if quantity.weak and quantity.value < 1}
    joined = []
    for quantity in found:
        fraction = half.get(quantity.end + 2)
        if fraction and list(lower[quantity.end : quantity.end + 2]) == ["and", "a"] and not quantity.weak:
            joined.append(Quantity("number", quantity.value + fraction.value, quantity.at, fraction.end))
        else:
            joined.append(quantity)
    return joined


def _months(words: Sequence[Word], lower: Sequence[str]) -> list[Quantity]:
    found = []
    for at, word in enumerate(lower):
        if word.startswith("月") and at and lower[at - 1].isdigit():
            found.append(Quantity("month", Decimal(lower[at - 1]), at - 1, at + 1))
            continue
        month = _MONTHS.get(word)
        if month is None:
            continue
        beside = [lower[near] for near in (at - 1, at + 1) if 0 <= near < len(lower)]
        dated = any(near[0].isdigit() for near in beside)
        named = words[at].text[0].isupper() and not words[at].starts_sentence
        if dated or (word not in _ALSO_WORDS and (named or len(word) > 4)) or (named and word == "march"):
            found.append(Quantity("month", Decimal(month), at, at + 1))
    return found


def _with_percent(found: list[Quantity], lower: Sequence[str]) -> list[Quantity]:
    """Mark percentages; half is 50 percent too."""
    marked = []
    for quantity in found:
        behind = lower[quantity.end : quantity.end + 2]
        percent = bool(behind) and (behind[0] in _PERCENT or behind in (["per", "cent"], ["pour", "cent"]))
        if quantity.kind == "number" and percent:
            marked.append(quantity._replace(kind="percent"))
        else:
            marked.append(quantity)
        if quantity.weak and quantity.value < 1 and quantity.value > 0:
            marked.append(Quantity("percent", (quantity.value * 100).normalize(), *quantity[2:4], weak=True))
    return marked
