"""The rules that see a change of view in dated statements on one topic, and the turning points that show it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from answertrail_pipeline.language.generic_words import GENERIC_WORDS
from answertrail_pipeline.language.negation import denials
from answertrail_pipeline.language.tokens import base_language, tokens
from answertrail_pipeline.tasks.question_rules import split_speaker

_FOR = {
    "en": "good better best great impressive promising useful reliable works win ahead confident excited love"
    " agree support success improved strong faster safe worth ready breakthrough confirmed stable"
    " clean enough easy cheap",
    "fr": "bon bonne mieux meilleur utile juste favorable accord réussi progrès victoire espoir",
}
_AGAINST = {
    "en": "bad worse worst poor weak unreliable fail failed fails broken wrong problem risk doubt skeptical"
    " overrated hype disappointed disappointing stalled delayed dead useless expensive slow dangerous concern bug"
    " regret against slower dirty waste hate hurts",
    "fr": "mauvais pire inutile injuste danger dangereux contre échec erreur problème refuse honte crise",
}
_TURNS = {
    "en": r"no longer|not anymore|anymore|used to|changed (?:my|our) mind|i was wrong|instead of"
    r"|moved (?:to|from|away)|switch(?:ed|ing)|delay(?:ed|ing)?|postponed?|pushed back|dropped|abandon(?:ed)?"
    r"|replaced|turned out|until now|not yet|at first|originally|back then|a year ago|last year|went from"
    r"|now (?:we|i|it)|rose|fell|raised|lowered|has become|became",
    "fr": r"ne \w+ plus|désormais|autrefois|avant|au lieu de|changé|abandonné|remplacé|il y a \d+ ans"
    r"|est devenu\w*",
}
MIN_EVIDENCE, MAX_EVIDENCE = 3, 6
MIN_SHARED = 2
"""Words beside the topic that two statements must share to speak of the same matter."""
SHARED_SHARE = 0.5
"""Share of the shorter statement's words that both must have: sentences on one topic are mostly on two matters."""
MAX_VIEW_WORDS = 25
"""A longer statement judges more things than one."""
_VIEWS = {
    "en": r"\bi (?:\w+ )?(?:think|thought|believe[d]?|doubt|prefer|love|hate|recommend|trust)\b"
    r"|\bi(?:'m| am| was) |\b(?:i|we|you)(?: will|'ll)? (?:should|must|never|always|not|no longer)\b"
    r"|\b(?:should|must)\b",
    "fr": r"\bje (?:ne )?(?:pense|crois|veux|suis)\b|\bil (?:ne )?faut\b|\bon (?:ne )?doit\b",
}
_APART = timedelta(days=30)
_AMOUNT = re.compile(r"([$€£]?\d[\d.,]*\d|[$€£]?\d)(?:\s*(%|percent|[^\W\d_]{3,}))?")


@dataclass(frozen=True)
class Said:
    """A dated statement."""

    day: date
    text: str


@dataclass(frozen=True)
class _Read:
    """What is compared of a statement.

    Attributes:
        side: +1 for something, -1 against, 0 for neither.
        view: the side where the statement is short, on the topic and somebody's view; else 0.
    """

    day: date
    words: frozenset[str]
    amounts: dict[str, str]
    side: int
    view: int
    denied: bool
    turns: bool


def turning_points(said: Sequence[Said], topic: str, language: str) -> list[int]:
    """Return the statements that show a change, in order of time; empty where the rules see none.

    Two statements at least 30 days apart show a change in one of two ways. Both are short, name the topic, are
    somebody's view ("I think", "should") and are on opposite sides. Or they are on the same matter: they share two
    words beside the topic, one of them not a general one, and `SHARED_SHARE` of the shorter; and give one unit
    another number, or weigh to opposite sides, or one denies, or the later says in words that something turned
    ("no longer", "used to", "delayed"). Around the pair that shares most, others on the same matter are taken
    too; three in all is the least. A collection of unlike statements on one topic is none.
    """
    about = frozenset(tokens(topic, language))
    general = _general(base_language(language))
    read = [_read(item, about, language) for item in said]
    pairs = [
        (len(read[i].words & read[j].words - general), i, j)
        for i in range(len(read))
        for j in range(i + 1, len(read))
        if _changes(read[i], read[j], general)
    ]
    if not pairs:
        return []
    _, first, last = max(pairs, key=lambda pair: (pair[0], pair[2] - pair[1], -pair[1]))
    matter = (read[first].words | read[last].words) - general
    others = [
        i
        for i in range(len(read))
        if i not in (first, last)
        and (read[i].view or len(read[i].words & matter) >= min(MIN_SHARED, len(matter) or 1))
    ]
    points = _spread(said, [first, last], others)
    return points if len(points) >= MIN_EVIDENCE else []


@cache
def _general(language: str) -> frozenset[str]:
    """Return the tokens of words that every statement may share, whatever it speaks of."""
    return frozenset(tokens(" ".join(sorted(GENERIC_WORDS.get(language, ()))), language))


def _read(item: Said, about: frozenset[str], language: str) -> _Read:
    amounts = {}
    _, said = split_speaker(item.text)
    for number, unit in _AMOUNT.findall(said):
        name = "".join(tokens(unit, language)) or (number[0] if number[0] in "$€£" else "")
        if name and not re.fullmatch(r"(?:19|20)\d\d", number):
            amounts[name] = number
    words = frozenset(word for word in tokens(said, language) if not word[0].isdigit()) - about
    turns = bool(_pattern(_TURNS, r"\b(?:{})\b", language).search(said.casefold()))
    side, denied = _side(said, language), bool(len(denials(said, language)) % 2)
    return _Read(item.day, words, amounts, side, _view(said, side, denied, about, language), denied, turns)


def _view(said: str, side: int, denied: bool, about: frozenset[str], language: str) -> int:
    judges = _pattern(_VIEWS, "{}", language).search(said.casefold())
    if not judges or len(said.split()) > MAX_VIEW_WORDS or not about <= set(tokens(said, language)):
        return 0
    return side or -denied


def _changes(early: _Read, late: _Read, general: frozenset[str]) -> bool:
    if late.day - early.day < _APART:
        return False
    if early.view * late.view < 0:
        return True
    shared = early.words & late.words
    if (
        len(shared) < max(MIN_SHARED, SHARED_SHARE * min(len(early.words), len(late.words)))
        or not shared - general
    ):
        return False
    other_number = any(late.amounts.get(unit, number) != number for unit, number in early.amounts.items())
    return (
        other_number
        or early.side * late.side < 0
        or early.denied != late.denied
        or (late.turns and not early.turns)
    )


def _side(text: str, language: str) -> int:
    """Return +1 for a statement that speaks for something, -1 against, 0 for neither; a denial turns it round."""
    words = set(re.findall(r"[\w'-]+", text.casefold()))
    code = base_language(language)
    weight = len(words & set(_FOR.get(code, "").split())) - len(words & set(_AGAINST.get(code, "").split()))
    if weight and len(denials(text, language)) % 2:
        weight = -weight
    return (weight > 0) - (weight < 0)


def _pattern(by_language: dict[str, str], form: str, language: str) -> re.Pattern[str]:
    words = by_language.get(base_language(language))
    return re.compile(form.format(words) if words else r"(?!)")


def _spread(said: Sequence[Said], chosen: list[int], others: list[int]) -> list[int]:
    """Add to the chosen those of the others that lie farthest from them in time, while they are well apart."""
    while others and len(chosen) < MAX_EVIDENCE:
        apart = {i: min(abs((said[i].day - said[j].day).days) for j in chosen) for i in others}
        best = max(others, key=lambda i: (apart[i], -i))
        if apart[best] < _APART.days:
            break
        chosen.append(best)
        others.remove(best)
    return sorted(chosen)
