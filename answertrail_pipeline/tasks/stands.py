"""Which positions a dated statement takes on a topic: a figure, a date, a verdict, a thing said or denied."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from answertrail_pipeline.language.negation import denials
from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.tasks.change_words import (
    AMOUNT,
    EVENTS,
    GIVEN_UP,
    HELD,
    TURNED,
    UNSURE,
    VIEWS,
    finds,
    general_words,
    leads_to,
    mention,
    month_number,
    months,
    side,
    topic_amounts,
)
from answertrail_pipeline.tasks.question_rules import split_speaker

MAX_VIEW_WORDS = 22
"""A longer clause judges more things than one."""
MAX_REACH = 5
"""Words between a topic and what is judged of it, at most."""
_CLAUSE = re.compile(
    r"[;:!…—–]\s*|(?<=\?)\s+|,\s+(?=(?:and|but|so|because|which|where|while|mais|car|donc)\b)|\.(?:\s+|$)|\s-\s"
    r"|\b(?:but|because|whereas|while|mais|parce que)\b",
    re.IGNORECASE,
)
_OPENERS = re.compile(r"^(?:and|so|but|or|yeah|yes|well|okay|et|alors|donc)[, ]+", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")

Kind = Literal["figure", "amount", "date", "verdict", "practice", "saying"]


@dataclass(frozen=True)
class Said:
    """A dated statement."""

    day: date
    text: str


@dataclass(frozen=True)
class Stand:
    """A position that a statement takes on the topic.

    Attributes:
        at: number of the statement.
        kind: `figure`: an amount that is the topic's own; `amount`: one beside it; `date`: when something is to
            happen; `verdict`: for or against; `practice`: done, or done no longer; `saying`: said, or denied.
        unit: of a figure or amount.
        value: what of it can change.
        matter: the words of the clause that are neither the topic nor general.
        words: the words of the clause without the topic.
        who: the speaker, where it matters whose position it is.
    """

    at: int
    day: date
    kind: Kind
    unit: str
    value: str
    matter: frozenset[str]
    who: str = ""
    words: frozenset[str] = frozenset()


def read_stands(at: int, said: Said, topic: str, language: str) -> list[Stand]:
    """Return the positions of one statement; a clause that asks, supposes or does not name the topic has none."""
    speaker, text = split_speaker(said.text)
    about = frozenset(tokens(topic, language))
    found: list[Stand] = []
    for piece in _CLAUSE.split(text):
        clause = _OPENERS.sub("", (piece or "").strip())
        if about <= set(tokens(clause, language)) and not finds(UNSURE, language, clause.casefold()):
            found += _of_clause(at, said.day, clause, topic, about, language, speaker or "")
    return found


def takes_position(said: Said, topic: str, language: str) -> bool:
    """Whether a statement gives a figure or date of the topic or a verdict on it: where a change shows."""
    return any(stand.kind in ("figure", "date", "verdict") for stand in read_stands(0, said, topic, language))


def _of_clause(
    at: int, day: date, clause: str, topic: str, about: frozenset[str], language: str, who: str
) -> Iterator[Stand]:
    lower = clause.casefold()
    words = frozenset(word for word in tokens(clause, language) if not word[0].isdigit())
    matter = words - about - general_words(language)
    denied = bool(len(denials(clause, language)) % 2)
    for pattern in topic_amounts(topic):
        for match in pattern.finditer(lower):
            unit = match["sign"] or _scale(match) or _counted(match, language)
            if unit and not denied:
                which = " ".join(tokens(match["which"] or "", language))  # "transaction" gas limit
                yield Stand(at, day, "figure", f"{which} {unit}", _number(match), matter)
    for match in re.finditer(AMOUNT, lower):
        unit = match["sign"] or _counted(match, language) or _scale(match)
        if unit and not _YEAR.fullmatch(match["number"]):
            yield Stand(at, day, "amount", unit, f"{_number(match)} {_scale(match)}".strip(), matter - {unit})
    if finds(EVENTS, language, lower) and (month := _month(lower, day, language)):
        yield Stand(at, day, "date", "", f"{'not ' if denied else ''}{month:%Y-%m}", matter)
    verdict = _verdict(clause, lower, topic, denied, language)
    if verdict:
        yield Stand(at, day, "verdict", "", verdict, matter, who)
    if leads_to(GIVEN_UP, topic, language, lower):
        yield Stand(at, day, "practice", "", "given up", matter)
    elif leads_to(HELD, topic, language, lower) and not denied:
        yield Stand(at, day, "practice", "", "held", matter)
    yield Stand(at, day, "saying", "", "denied" if denied else "said", matter, who, words - about)


def _scale(match: re.Match[str]) -> str:
    return (match["scale"] or "").replace("percent", "%")


def _counted(match: re.Match[str], language: str) -> str:
    """Return what an amount counts; empty for what is general."""
    unit = "".join(tokens(match.groupdict().get("unit") or "", language))
    return "" if unit in general_words(language) else unit


def _number(match: re.Match[str]) -> str:
    return match["number"].replace(",", "")


def _month(lower: str, day: date, language: str) -> date | None:
    """Return the first day of the last named month: of the year it names, else the next one to come."""
    found = list(months(language).finditer(lower))
    if not found:
        return None
    last = found[-1]
    number = month_number(last["month"] or last["doubtful"] or last["dated"], language)
    year = _YEAR.search(last["rest"] or last["rest2"] or last["rest3"] or "")
    return date(int(year[0]) if year else day.year + (number < day.month), number, 1)


def _verdict(clause: str, lower: str, topic: str, denied: bool, language: str) -> str | None:
    """Return `for` or `against` where the clause is somebody's view of the topic, or `turned` where it says so.

    A view has a word for or against in it ("better than cork" is against cork); or it denies the topic something
    ("never use cork seals again").
    """
    if finds(TURNED, language, lower):
        return "turned"
    near = _near(lower, topic)
    weight = side(near, language) * (-1 if re.search(r"\b(?:than|que) " + mention(topic), near) else 1)
    subject = re.compile(
        rf"^(?:\w+ )?{mention(topic)} |{mention(topic)} (?:\w+ )?(?:is|are|was|were|est|sont|était)\b"
    )
    views = finds(VIEWS, language, lower)
    if len(clause.split()) > MAX_VIEW_WORDS or not (views or (weight and subject.search(lower))):
        return None
    if weight:
        return "for" if (weight > 0) != denied else "against"
    before = re.search(mention(topic), near)
    denies = before and len(denials(near[: before.start()], language)) % 2
    return "against" if views and denies else None


def _near(lower: str, topic: str) -> str:
    """Return the topic with the words around it that can judge it."""
    found = re.search(rf"(?:[\w'’-]+ ){{0,{MAX_REACH}}}{mention(topic)}(?: [\w'’-]+){{0,{MAX_REACH}}}", lower)
    return found[0] if found else ""
