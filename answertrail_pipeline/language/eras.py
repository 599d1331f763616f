"""Dates in Japanese text: eras (令和3年), elided eras (同28年, 29年), western years and years of two digits.

The first year of an era is the year of its proclamation: Reiwa N is 2018 + N, Heisei N 1988 + N, Showa N 1925 + N.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from answertrail_pipeline.language.partial_dates import PartialDate

_ERAS = {"明治": (1867, 45), "大正": (1911, 15), "昭和": (1925, 64), "平成": (1988, 31), "令和": (2018, 99)}
"""By name: the year before its first, and how many years it had."""
_LETTERS = {"M": "明治", "T": "大正", "S": "昭和", "H": "平成", "R": "令和"}
_NUMBER = r"\d{1,4}|[〇一二三四五六七八九十百]{1,5}|元"
_TO = r"〜|~|-|–|—|から"
_GLOSS = rf"(?:\s*\((?:{'|'.join(_ERAS)})?(?:{_NUMBER})年?\))?"
"""The same year in the other calendar, in brackets: 平成31年(2019年)4月."""
_DATE = re.compile(
    rf"(?:(?P<era>{'|'.join(_ERAS)})\s*|(?<![A-Za-z])(?P<letter>[MTSHR])\.?|(?P<same>同|翌))?"
    rf"(?:(?P<first>{_NUMBER})\s*年?\s*(?:[〜~\-–—])\s*)?"
    rf"(?:(?P<year>{_NUMBER})|(?<=[同翌]))\s*年{_GLOSS}(?:\s*(?P<month>{_NUMBER})\s*月)?"
    rf"(?:\s*(?P<day>{_NUMBER})\s*日)?(?:\s*(?P<open>{_TO}))?"
)
_DECADE = re.compile(r"代")
_NOT_A_DATE = re.compile(r"(?:間|生|目|度|余|ぶり|連続|制|後|前|以上|ほど)")
_DOTTED = re.compile(rf"([MTSHR]|{'|'.join(_ERAS)})\.?\s*(\d{{1,2}}|元)(?:[./-](\d{{1,2}}))?(?:[./-](\d{{1,2}}))?")
_DIGITS = {character: value for value, character in enumerate("〇一二三四五六七八九")}


class FoundDate(NamedTuple):
    """A date in a text.

    Attributes:
        start, end: where it is written.
        until: the second date of a range such as 94〜96年; None where there is one date.
        open: a range without an end (13年〜).
    """

    start: int
    end: int
    date: PartialDate
    until: PartialDate | None = None
    open: bool = False


def find_era_dates(text: str) -> list[FoundDate]:
    """Return the dates of a Japanese text in order; an elided era or century is that of the date before it.

    A date that another follows behind a tilde or から is a range: 平成元年4月〜同3年3月. A number of years
    (3年間), a decade (50年代), an age or a count (2期目) is no date, nor is an elided date without one before it.

    >>> [str(found.date) for found in find_era_dates("昭和54年3月卒業、同58年当選。平成8年、令和元年、3年")]
    ['1979-03', '1983', '1996', '2019', '2021']
    """
    plain = _same_length(text)
    return _with_ranges(list(_scan(plain)), plain)


def parse_era_date(text: str) -> PartialDate | None:
    """Return the date that a text is, whole: 平成28年9月1日, H28.9.1 or 令和元年; None for anything else."""
    plain = _same_length(text).strip()
    dotted = _DOTTED.fullmatch(plain)
    if dotted:
        return _of_era(_LETTERS.get(dotted[1], dotted[1]), _number(dotted[2]), dotted[3], dotted[4])
    found = list(_scan(plain))
    whole = len(found) == 1 and found[0].start == 0 and found[0].end == len(plain) and not found[0].until
    return found[0].date if whole else None


def _same_length(text: str) -> str:
    """Return the text with full-width digits, letters and tildes as ASCII, each character at its place."""
    made = (unicodedata.normalize("NFKC", character) for character in text.replace("～", "〜"))
    return "".join(new if len(new) == 1 else old for old, new in zip(text, made, strict=True))


def _with_ranges(dates: list[FoundDate], text: str) -> list[FoundDate]:
    """Join a date that is left open with the one that stands right behind it."""
    made: list[FoundDate] = []
    for found in dates:
        before = made[-1] if made else None
        if before and before.open and not found.until and not text[before.end : found.start].strip():
            made[-1] = FoundDate(before.start, found.end, before.date, found.date)
        else:
            made.append(found)
    return made


def _scan(text: str) -> Iterator[FoundDate]:
    era: str | None = None
    last: int | None = None
    for match in _DATE.finditer(text):
        if _DECADE.match(text, match.end()) or (_is_bare(match) and _NOT_A_DATE.match(text, match.end())):
            continue
        if match["first"] and len(match["first"]) == 4 and match["first"].isdecimal():
            era, last = None, int(match["first"])
        named = match["era"] or _LETTERS.get(match["letter"] or "")
        written = match["year"]
        if named is None and written and len(written) == 4 and _is_western(written):
            era, year = None, _number(written)
        elif named:
            era = named
            year_or_none = _year(named, written, last)
            if year_or_none is None:
                continue
            year = year_or_none
        elif last is None:
            continue
        else:
            elided = last + (match["same"] == "翌") if written is None else _year(era, written, last)
            if elided is None:
                continue
            year = elided
        date = PartialDate.checked(year, _maybe(match["month"]), _maybe(match["day"]))
        if date is None:
            continue
        begun = _begun(match["first"], era, year) if match["first"] else None
        last = year
        yield FoundDate(match.start(), match.end(), begun or date, date if begun else None, bool(match["open"]))


def _is_bare(match: re.Match[str]) -> bool:
    """Whether only a short number stands before the 年: a date that leaves out its era, or a count of years."""
    named = match["era"] or match["letter"] or match["same"] or match["month"] or match["first"]
    return not named and len(match["year"] or "") < 4


def _is_western(written: str) -> bool:
    return written.isdecimal() or all(character in _DIGITS for character in written)


def _begun(written: str, era: str | None, until: int) -> PartialDate | None:
    year = int(written) if len(written) == 4 else _year(era, written, until)
    return PartialDate(year) if year is not None and year <= until else None


def _year(era: str | None, written: str | None, last: int | None) -> int | None:
    """Return the western year of a written one: of its era, or of the century nearest to the last year named."""
    if written is None:
        return None
    number = _number(written)
    if era:
        before, years = _ERAS[era]
        return before + number if 1 <= number <= years else None
    if last is None or number > 99:
        return None
    century = last - last % 100
    return min((century - 100 + number, century + number, century + 100 + number), key=lambda y: abs(y - last))


def _of_era(era: str, number: int, month: str | None, day: str | None) -> PartialDate | None:
    year = _year(era, str(number), None)
    return PartialDate.checked(year, _maybe(month), _maybe(day)) if year else None


def _maybe(written: str | None) -> int | None:
    return _number(written) if written else None


def _number(written: str) -> int:
    """Return a number in digits or in Chinese numerals below 200; 元 is the first year."""
    if written == "元":
        return 1
    if written.isdecimal():
        return int(written)
    if "十" not in written and "百" not in written:
        return int("".join(str(_DIGITS[character]) for character in written))
    total, digit = 0, 0
    for character in written:
        if character in "十百":
            total += max(1, digit) * (10 if character == "十" else 100)
            digit = 0
        else:
            digit = _DIGITS[character]
    return total + digit
