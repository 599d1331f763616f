"""The rule-based coder: lines that give an office with its dates, in languages with spaces and in Japanese."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from answertrail_pipeline.language.eras import find_era_dates
from answertrail_pipeline.language.partial_dates import parse_partial_date
from answertrail_pipeline.language.tokens import base_language


class DatedLine(NamedTuple):
    """An office as a line states it; dates as `CodedEvent` has them."""

    role: str
    organization: str
    start: str | None
    end: str


_ISO = r"\d{4}-(?:0[1-9]|1[0-2])(?!\d)(?:-\d{2}(?!\d))?"
_IN_WORDS = r"(?:(?:\d{1,2}(?:er|st|nd|rd|th)? )?(?:de )?[^\W\d_]{3,12}\.?(?: \d{1,2},)? (?:de )?)?\d{4}"
_KOREAN = r"\d{4}년(?:\s*\d{1,2}월)?(?:\s*\d{1,2}일)?"
_DATE = rf"(?:{_ISO}|{_KOREAN}|{_IN_WORDS})"
_OPEN = (
    r"(?:ongoing|unknown|presente?|today|now|aujourd'hui|ce jour|la fecha|la actualidad|actualidad|hoje|heute|oggi"
    r"|σήμερα|сьогодні|현재)\b"
)
_PERIOD = re.compile(
    rf"(?:\b(?:from|since|between|du|de|depuis|en|in|desde|seit|von|dal|από|з|від)\s+(?:(?:the|le|el|τον|τις)\s+)?)?"
    rf"\b(?P<start>{_DATE})"
    rf"(?:\s*(?:-|–|—|~|to|until|till|through|and|à|au|jusqu'à|jusqu'en|a|hasta|até|bis|al|έως|μέχρι|до)\s*"
    rf"(?:(?:the|le|el|la)\s+)?(?P<end>{_DATE}|{_OPEN})|(?P<open>\s*[-–—~](?=\s*(?:$|[,;).]))))?",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:since|depuis|desde|seit|dal|από)\s", re.IGNORECASE)
_NO_OFFICE = re.compile(
    r"(?<!\w)(?:born|died|graduated|attended|educated|degree|b\.?a\.|b\.?s\.|j\.?d\.|ll\.?[bm]\.?|ph\.?d"
    r"|m\.?a\.|m\.?p\.?[ap]\.|unsuccessful|candidate|awarded|admitted|elected|reelected|married|naissance|née?"
    r"|diplôm\w+|études|baccalauréat|candidat\w*|nacid[oa]|estudi\w+|γεννήθηκε|народи\w+)(?!\w)",
    re.IGNORECASE,
)
_JOINTS = re.compile(r",\s+|\s+(?:of the|of|at the|at|for the|in the|des|de la|de l'|du|del|de)\s+", re.IGNORECASE)
_SEGMENT = re.compile(r"[;\n•]|(?<=[^\W\d_]{4})\.\s+(?=[A-ZÀ-ÞΑ-ΩА-Я])")
_JA_BREAK = re.compile(r"[、。〇○\n；;]")
_JA_NO_OFFICE = re.compile(
    r"生まれ|辞職|退任|退社|生$|卒業|修了|出生|誕生|著書|受賞|現在|落選|出馬|留任|再任|再選|期目"
)
_JA_UNTIL = re.compile(r"^[\s　]*(?:現在)?(?:まで|に至る|より|から)?[\s　、]*")
"""What stands behind a range before the office: 平成元年から3年まで課長, 平成28年〜現在 大臣."""
_JA_ENDING = re.compile(r"(?:に|へ)?(?:初当選|当選|就任|入省|入社|入庁|着任|となる|を務める|拝命).*$")
_JA_BODY = re.compile(r"^(?:衆議院|参議院|.{1,6}?(?:県議会|府議会|都議会|道議会|市議会|市会|町議会|村議会))")
_JA_ORGAN = re.compile(r"^(.{1,14}?(?:省|庁|府|委員会|内閣官房|党|株式会社|大学|銀行|新聞社|協会|事務所))(.{2,})$")
_MAX_WORDS = 30


def read_dated_lines(text: str, language: str) -> list[DatedLine]:
    """Return the offices that a text gives with their dates, in order."""
    read = _japanese if base_language(language) == "ja" else _spaced
    return list(read(text, language))


def _spaced(text: str, language: str) -> Iterator[DatedLine]:
    for segment in _SEGMENT.split(text.replace("’", "'")):
        period = next(_PERIOD.finditer(segment), None)
        if period is None or _NO_OFFICE.search(segment):
            continue
        start = _date(period["start"], language)
        if start is None:
            continue
        what = " ".join(f"{segment[: period.start()]} {segment[period.end() :]}".split()).strip(" ,.:;()–—-")
        office = _office(re.sub(r"\s+,", ",", what))
        if office:
            end = "ongoing" if period["open"] else _end(period["end"], segment, language)
            yield DatedLine(*office, start, end)


def _office(what: str) -> tuple[str, str] | None:
    if not what or len(what.split()) > _MAX_WORDS or not any(letter.isalpha() for letter in what):
        return None
    joint = _JOINTS.search(what)
    if joint is None:
        return what, what
    comma = what.find(", ")
    at, to = (comma, comma + 2) if comma > 0 and "," in what else joint.span()
    role, organization = what[:at].strip(), what[to:].strip(" ,.")
    if comma > 0 and len(organization) < 4:
        at, to = joint.span()
        role, organization = what[:at].strip(), what[to:].strip(" ,.")
    return (role, organization) if role and organization else (what, what)


def _date(written: str, language: str) -> str | None:
    """Return a date in words as ISO; of words that are no month, the year."""
    found = parse_partial_date(written, language) or parse_partial_date(written[-4:])
    return str(found) if found else None


def _end(written: str | None, segment: str, language: str) -> str:
    if written is None:
        return "ongoing" if _SINCE.search(segment) else "unknown"
    if written.casefold() == "unknown":
        return "unknown"
    return _date(written, language) or "ongoing"


def _japanese(text: str, _language: str) -> Iterator[DatedLine]:
    dates = find_era_dates(text)
    for at, found in enumerate(dates):
        rest = text[found.end : dates[at + 1].start if at + 1 < len(dates) else len(text)]
        what = _JA_BREAK.split(_JA_UNTIL.sub("", rest))[0].strip(" 　:：・")
        if not what or _JA_NO_OFFICE.search(what) or len(what) > 60:
            continue
        what = _JA_ENDING.sub("", what).strip()
        if len(what) < 2:
            continue
        end = str(found.until) if found.until else "ongoing" if found.open else "unknown"
        yield DatedLine(*_japanese_office(what), str(found.date), end)


def _japanese_office(what: str) -> tuple[str, str]:
    body = _JA_BODY.match(what)
    if body:
        own = what[body.end() :]
        role = what if own == "議員" else own or what
        return role, body.group()
    organ = _JA_ORGAN.match(what)
    if organ:
        return organ[2], organ[1]
    return what, "内閣" if what.endswith(("大臣", "政務官", "長官", "次官")) else what
