"""Dates as sources give them: a year, a month or a day; and ends, which may be open or unknown."""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from dateparser.date import DateDataParser

Precision = Literal["year", "month", "day"]
EndState = Literal["known", "ongoing", "unknown", "unstated"]
_ISO = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T ]\d{2}:\d{2}.*)?")
_YEAR = re.compile(r"\d{4}")
_ONGOING = frozenset(
    (
        "ongoing", "present", "to present", "presently", "now", "today", "to date", "current", "currently",
        "incumbent", "in office", "aujourd'hui", "en cours", "en fonction", "actuel", "actuelle", "presente",
        "actualidad", "la actualidad", "actual", "en el cargo", "atual", "atualmente", "heute", "oggi",
        "in carica", "σήμερα", "σημερα", "現在", "現職", "在任中", "현재", "재임", "дотепер", "нині",
        "сьогодні", "halen", "günümüz",
    )
)  # fmt: skip
_UNKNOWN = frozenset(
    ("na", "n/a", "n.a.", "unknown", "?", "??", "none", "null", "nan", "-", "–", "—", "不明", "미상")
)


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

    Read are ISO dates, Japanese eras, and dates in words of the languages that `dateparser` knows. A text without
    a year is no date: nothing is filled in.

    Args:
        language: BCP 47 tag of the text; guessed where None.

    >>> [str(parse_partial_date(text)) for text in ("mars 2012", "2010", "平成28年9月")]
    ['2012-03', '2010', '2016-09']
    """
    from answertrail_pipeline.language.eras import parse_era_date

    plain = text.strip()
    iso = _ISO.fullmatch(plain)
    if iso:
        return PartialDate.checked(*(int(part) if part else None for part in iso.groups()))  # type: ignore[arg-type]
    era = parse_era_date(plain)
    if era or not _YEAR.search(plain):
        return era
    return _in_words(plain, language)


def parse_end(text: str | None, language: str | None = None) -> End:
    """Return the end that a text gives.

    `Present` is ongoing, `NA` is unknown and an empty text says nothing: three different things. A text that is
    none of these is unknown too: it says that there is an end, but not one that can be read.
    """
    plain = " ".join((text or "").replace("’", "'").casefold().split())
    if not plain:
        return End()
    if plain in _ONGOING or plain == "ongoing":
        return End("ongoing")
    if plain in _UNKNOWN:
        return End("unknown")
    if plain == "unstated":
        return End()
    found = parse_partial_date(text or "", language)
    return End("known", found) if found else End("unknown")


def _in_words(text: str, language: str | None) -> PartialDate | None:
    parser = _parser(language.split("-")[0].lower() if language else None)
    found = parser.get_date_data(text)
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
