"""The words of time, and a text as the tokens that rules are matched against."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple


class Token(NamedTuple):
    """A word, number or sign: lower case, without accents, every dash and arrow as `-`."""

    word: str
    start: int
    end: int


def names(*languages: str) -> dict[str, int]:
    """Number the words of each language's line; `|` separates spellings."""
    return {name: i for line in languages for i, spelled in enumerate(line.split()) for name in spelled.split("|")}


def words(line: str) -> frozenset[str]:
    """Return the words of a line."""
    return frozenset(line.split())


# English, French, German, Spanish, Portuguese, Italian, Dutch; without accents.
MONTHS = names(
    "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep"
    " october|oct november|nov december|dec",
    "janvier|janv fevrier|fevr|fev mars avril|avr mai juin juillet|juil aout septembre octobre novembre decembre",
    "januar|janner februar marz|maerz april mai juni juli august september oktober|okt november dezember|dez",
    "enero|ene febrero marzo abril|abr mayo junio julio agosto|ago septiembre|setiembre octubre noviembre"
    " diciembre|dic",
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro|out novembro dezembro",
    "gennaio|genn febbraio|febbr marzo aprile maggio giugno luglio agosto settembre|sett ottobre|ott novembre"
    " dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
)
SEASONS = names(
    "spring summer autumn|fall winter",
    "printemps ete automne hiver",
    "fruhling|fruhjahr sommer herbst winter",
    "primavera verano|verao|estate otono|outono|autunno invierno|inverno",
)
PARTS = names(
    "early mid|middle late",
    "debut|anfang|principios|inicio|inizio|begin mi|mitte|mediados|meados|meta|medio"
    " fin|ende|finales|fins|fine|eind",
)
EDGES = {"start": 0, "beginning": 0, "end": -1}
ORDINALS = names(
    "first second third fourth",
    "1st 2nd 3rd 4th",
    "premier|premiere deuxieme troisieme quatrieme",
    "erstes|erste zweites|zweite drittes|dritte viertes|vierte",
    "primer|primeiro|primo segundo|secondo tercer|terceiro|terzo cuarto|quarto",
)
QUARTERS = words("quarter trimestre quartal kwartaal")
HALVES = words("half semestre halbjahr")
LASTS = words("last final closing latter")
COUNTS = {
    name: i for name, i in names("zero one two three four five six seven eight nine ten eleven").items() if i
}
FILLERS = words("of the in de du des di do del d l ' .")
JOINS = words("- / ~ & to through thru until till and a au bis hasta ate al")
LATER = words("onward onwards later after beyond")
EARLIER = words("earlier before")
NOW = words("present today now date")
OPENERS = {
    "before": ("before", "prior to", "earlier than", "pre -", "avant", "vor"),
    "until": ("until", "till", "up to", "no later than", "not later than", "not after", "jusqu ' a", "jusqu ' en"),
    "after": ("after", "later than", "post -", "apres", "nach"),
    "since": (
        "since", "seit", "depuis", "desde", "starting in", "starting from", "starting with", "beginning in",
        "no earlier than", "not earlier than", "not before",
    ),
}  # fmt: skip
"""What opens a stretch on one side, by where the time that follows lies on it."""
TIME_WORDS = words(
    "in from during by throughout through between around circa en im vers late of year over across to into within"
)
LEAD_INS = (TIME_WORDS - words("late between to")) | words(
    "the about approximately approx ~ c ca roughly ( [ all de . whole entire course sometime"
)
ABOUT = words("~ about the around circa roughly approximately")
_SIGNS = r"->|(?<!\.)\.\.(?!\.)"
_DASHES = {*"‐‑‒–—―−→", "->", ".."}


def read_tokens(text: str) -> list[Token]:
    """Return the tokens of a text, in order."""
    return [
        Token(_fold(match[0]), match.start(), match.end())
        for match in re.finditer(rf"\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+|{_SIGNS}|[^\s\w]|_", text)
    ]


def _fold(written: str) -> str:
    if written in _DASHES:
        return "-"
    folded = "".join(c for c in unicodedata.normalize("NFKD", written.casefold()) if not unicodedata.combining(c))
    return "'" if folded in {"’", "‘"} else folded


def word_at(tokens: Sequence[Token], i: int) -> str:
    """Return the word at a place; empty where there is none."""
    return tokens[i].word if 0 <= i < len(tokens) else ""


def number_at(tokens: Sequence[Token], i: int, low: int, high: int) -> int | None:
    """Return the number at a place, if it lies between two others; `5th` is 5."""
    word = word_at(tokens, i).removesuffix("st").removesuffix("nd").removesuffix("rd").removesuffix("th")
    return int(word) if word.isdecimal() and len(word) <= 4 and low <= int(word) <= high else None


def are_joined(tokens: Sequence[Token], i: int, count: int) -> bool:
    """Whether as many tokens from a place on are there without a space between them."""
    return (
        i >= 0
        and i + count <= len(tokens)
        and all(tokens[at].end == tokens[at + 1].start for at in range(i, i + count - 1))
    )


def skip(tokens: Sequence[Token], i: int, skipped: frozenset[str]) -> int:
    """Return the first place from `i` on whose word is none of those."""
    while word_at(tokens, i) in skipped:
        i += 1
    return i
