"""The rules that see a change of view in dated statements on one topic, and the turning points that show it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from answertrail_pipeline.language.negation import denials
from answertrail_pipeline.language.numbers import numbers
from answertrail_pipeline.language.tokens import base_language, tokens

_FOR = {
    "en": "good better best great impressive promising useful reliable works win ahead confident excited love"
    " agree support success improved strong faster safe worth ready breakthrough confirmed stable",
    "fr": "bon bonne mieux meilleur utile juste favorable accord réussi progrès victoire espoir",
}
_AGAINST = {
    "en": "bad worse worst poor weak unreliable fail failed fails broken wrong problem risk doubt skeptical"
    " overrated hype disappointed disappointing stalled delayed dead useless expensive slow dangerous concern bug"
    " regret against",
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
MAX_EVIDENCE = 6
_APART = timedelta(days=20)


@dataclass(frozen=True)
class Said:
    """A dated statement."""

    day: date
    text: str


def turning_points(said: Sequence[Said], language: str) -> list[int]:
    """Return the statements that show a change, in order of time; empty where the rules see none.

    A change is seen where the early and the late third weigh to opposite sides, where the same unit gets another
    number, or where somebody says in words that something turned ("no longer", "used to", "delayed").
    """
    if len(said) < 3 or said[-1].day - said[0].day < _APART:
        return []
    sides = [_side(item.text, language) for item in said]
    third = max(1, len(said) // 3)
    opposed = sum(sides[:third]) * sum(sides[-third:]) < 0
    turns = [i for i, item in enumerate(said) if _turn(language).search(item.text.casefold())]
    amounts = _changed_amounts(said, language)
    if not (opposed or len(amounts) >= 2 or any(i > 0 for i in turns)):
        return []
    wanted = [*amounts, *turns, *(i for i, side in enumerate(sides) if side)]
    return _spread(said, wanted)


def _side(text: str, language: str) -> int:
    """Return +1 for a statement that speaks for something, -1 against, 0 for neither; a denial turns it round."""
    words = set(re.findall(r"[\w'-]+", text.casefold()))
    code = base_language(language)
    weight = len(words & set(_FOR.get(code, "").split())) - len(words & set(_AGAINST.get(code, "").split()))
    if weight and len(denials(text, language)) % 2:
        weight = -weight
    return (weight > 0) - (weight < 0)


def _turn(language: str) -> re.Pattern[str]:
    words = _TURNS.get(base_language(language))
    return re.compile(rf"\b(?:{words})\b" if words else r"(?!)")


def _changed_amounts(said: Sequence[Said], language: str) -> list[int]:
    """Return the statements that give one unit ("dollars a month") different numbers."""
    by_unit: dict[str, dict[int, str]] = {}
    for i, item in enumerate(said):
        for number, unit in re.findall(r"([$€£]?\d[\d.,]*\d|\d)(?:\s*(%|percent|[^\W\d_]{3,}))?", item.text):
            name = "".join(tokens(unit, language)) if unit else number[0] if number[0] in "$€£" else ""
            if name and numbers(number, language) and not re.fullmatch(r"(?:19|20)\d\d", number):
                by_unit.setdefault(name, {}).setdefault(i, number)
    changed = [places for places in by_unit.values() if len(set(places.values())) > 1]
    most: dict[int, str] = max(changed, key=lambda places: (len(places), -min(places)), default={})
    return sorted(most)


def _spread(said: Sequence[Said], wanted: Sequence[int]) -> list[int]:
    """Return the first, the last, and of the wanted those that are farthest apart in time."""
    chosen = [0, len(said) - 1]
    rest = [i for i in dict.fromkeys(wanted) if i not in chosen]
    while rest and len(chosen) < MAX_EVIDENCE:
        best = max(rest, key=lambda i: (min(abs((said[i].day - said[j].day).days) for j in chosen), -i))
        if min(abs(said[best].day - said[j].day) for j in chosen) < _APART:
            break
        chosen.append(best)
        rest.remove(best)
    if len(chosen) < 3:
        chosen.append(min(range(1, len(said) - 1), key=lambda i: (abs(i - len(said) // 2), i)))
    return sorted(chosen)
