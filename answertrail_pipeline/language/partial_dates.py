"""Dates as sources give them: a year, a month or a day; and ends, which may be open or unknown."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from answertrail_pipeline.language.scripts import plain_spelling

if TYPE_CHECKING:
    from dateparser.date import DateDataParser

Precision = Literal["year", "month", "day"]
EndState = Literal["known", "ongoing", "unknown", "unstated"]
_ISO = re.compile(r"(\d{4})(?:[-/.](\d{1,2}|[Xx]{2})(?:[-/.](\d{1,2}|[Xx]{2}))?)?(?:[T ]\d{2}:\d{2}.*)?[?~%]?")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_YEAR = re.compile(r"\d{4}")
_GREEK_OBJECT = re.compile(r"\b([Α-Ωα-ωΆ-ώ]{3,}ο)\b")
"""A Greek month as an object, από Ιανουάριο 2015, which `dateparser` knows as a subject only."""
_LEADING = re.compile(
    r"(?:(?:since|from|starting|beginning|as of|until|till|through|up to|to|in|around|about|circa|ca?\.|early|mid"
    r"|late|spring|summer|autumn|fall|winter|depuis|dès|jusqu'en|jusqu'à|jusqu'au|en|vers|début|fin|desde|hasta"
    r"|hacia|até|seit|ab|bis|um|anfang|mitte|ende|dal|dalla|fino al?|από|έως|μέχρι|ως|з|із|від|до|с|по)[\s-]+"
    r"|ca?\.\s*|約)",
    re.IGNORECASE,
)
"""Words before a date that do not change it; how exact it is stays as it is written."""
_TRAILING = re.compile(
    r"\s*(?:onwards?|年度|頃|ごろ|から|より|まで|以降|부터|까지|'?d[ae]n(?: beri)?)$", re.IGNORECASE
)
_ONGOING = frozenset(
    plain_spelling(words)
    for words in (
        "ongoing", "present", "to present", "till present", "until present", "presently", "now", "till now",
        "today", "until now", "to date", "to this day", "current", "currently", "currently in office", "incumbent",
        "in office", "still in office", "serving", "continuing", "aujourd'hui", "à ce jour", "à présent",
        "présent", "en cours", "en fonction", "en exercice", "actuel", "actuelle", "actuellement", "presente",
        "al presente", "actualidad", "la actualidad", "en la actualidad", "actual", "a la fecha", "hasta la fecha",
        "hasta hoy", "hoy", "en el cargo", "atual", "atualmente", "até o momento", "até hoje", "hoje", "no cargo",
        "heute",
        "bis heute", "im amt", "oggi", "ad oggi", "in carica", "tuttora", "σήμερα", "μέχρι σήμερα", "έως σήμερα",
        "ως σήμερα", "現在", "現在まで", "現在に至る", "現職", "現職中", "現任", "在任中", "在職中", "至今",
        "현재", "현재까지", "재임", "재임 중", "재직 중", "현직", "дотепер", "нині", "сьогодні", "до сьогодні",
        "по теперішній час", "до теперішнього часу", "сейчас", "по настоящее время", "halen", "hâlâ", "bugün",
        "günümüz", "devam ediyor", "görevde",
    )
)  # fmt: skip


@dataclass(frozen=True)
class PartialDate:
    """A date as far as it is known."""

    year: int
    month: int | None = None
    day: int | None = None

    def __str__(self) -> str:
        parts = [f"{self.year:04d}", *(f"{part:02d}" for part in (self.month, self.day) if part is not None)]
        return "-".join(parts)

    @property
    def order(self) -> tuple[int, int, int]:
        """By first day; a coarser date comes before a finer one in it."""
        return self.year, self.month or 0, self.day or 0

    @property
    def precision(self) -> Precision:
        """How much of the date is known."""
        return "year" if self.month is None else "month" if self.day is None else "day"

    @property
    def month_text(self) -> str | None:
        """The month, such as `2010-03`; None where only the year is known."""
        return None if self.month is None else f"{self.year:04d}-{self.month:02d}"

    def holds(self, other: "PartialDate") -> bool:
        """Whether the other date is this one, or lies in it and is finer."""
        mine, theirs = (self.year, self.month, self.day), (other.year, other.month, other.day)
        return all(a is None or a == b for a, b in zip(mine, theirs, strict=True))

    @classmethod
    def checked(cls, year: int, month: int | None = None, day: int | None = None) -> "PartialDate | None":
        """Return the date, or None where there is no such day in the calendar."""
        if month is None and day is not None:
            return None
        try:
            date(year, month or 1, day or 1)
        except ValueError:
            return None
        return cls(year, month, day)


@dataclass(frozen=True)
class End:
    """When something ended: a date, still going on, not known, or nothing said about it."""

    state: EndState = "unstated"
    date: PartialDate | None = None

    def __str__(self) -> str:
        return str(self.date) if self.date else self.state


@lru_cache(maxsize=50_000)
def parse_partial_date(text: str, language: str | None = None) -> PartialDate | None:
    """Return the date that a text is, with the precision that it has; None where it is none.

    Read are ISO dates (a month or day of 00 or XX is not known), Japanese eras, and dates in words of the
    languages that `dateparser` knows, behind words such as `since` or `circa`. A text without a year is no date,
    nor are two years: nothing is filled in.

    Args:
        language: BCP 47 tag of the text; guessed where None.

    >>> [str(parse_partial_date(text)) for text in ("mars 2012", "2010", "平成28年9月")]
    ['2012-03', '2010', '2016-09']
    """
    from answertrail_pipeline.language.eras import parse_era_date

    plain = _bare(text)
    iso = _ISO.fullmatch(plain) or _COMPACT.fullmatch(plain)
    if iso:
        year, month, day = (_known(part) for part in iso.groups())
        return PartialDate.checked(year, month, day if month else None) if year else None
    era = parse_era_date(plain)
    if era or not _YEAR.search(plain):
        return era
    return _in_words(plain, language)


def parse_end(text: str | None, language: str | None = None) -> End:
    """Return the end that a text gives.

    `Present` is ongoing, `NA` is unknown and an empty text says nothing: three different things. A text that is
    no date either is unknown too: it says that there is an end, but not one that can be read.
    """
    plain = " ".join((text or "").split())
    if not plain or plain.casefold() == "unstated":
        return End()
    if plain_spelling(plain) in _ONGOING:
        return End("ongoing")
    found = parse_partial_date(text or "", language)
    return End("known", found) if found else End("unknown")


def _bare(text: str) -> str:
    """Return a date without the words around it: full-width digits as ASCII, no `since`, no `onwards`."""
    plain = " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").split())
    while (
        shorter := _TRAILING.sub("", _LEADING.sub("", plain, count=1) if _LEADING.match(plain) else plain)
    ) != plain:
        plain = shorter
    return plain.strip(" ,;()[]")


def _known(part: str | None) -> int | None:
    """Return a number; None where it is left open: nothing, 00 or XX."""
    return int(part) or None if part and part.isdecimal() else None


def _in_words(text: str, language: str | None) -> PartialDate | None:
    parser = _parser(language.split("-")[0].lower() if language else None)
    found = parser.get_date_data(_GREEK_OBJECT.sub(r"\1ς", text))
    if found is None or found.date_obj is None or str(found.date_obj.year) not in _YEAR.findall(text):
        return None
    moment = found.date_obj
    if found.period == "year":
        return PartialDate(moment.year)
    if found.period == "month":
        return PartialDate(moment.year, moment.month)
    return PartialDate(moment.year, moment.month, moment.day) if found.period == "day" else None


@cache
def _parser(language: str | None) -> "DateDataParser":
    """Return the reader of a language; of the common ones where none is named, or an unknown one."""
    from dateparser.data.languages_info import language_order
    from dateparser.date import DateDataParser

    common = ["en", "fr", "es", "pt", "de", "it", "el", "uk", "ru", "ko", "ja", "zh", "tr", "pl", "nl", "ar"]
    known = [language] if language in language_order else common
    return DateDataParser(languages=known, settings={"PREFER_DAY_OF_MONTH": "first", "PARSERS": ["absolute-time"]})
