"""The words by which a statement takes a position, by language: for and against, unsure, planned, given up."""

import re
from functools import cache

from answertrail_pipeline.language.generic_words import GENERIC_WORDS
from answertrail_pipeline.language.tokens import base_language, tokens

_FOR = {
    "en": "good better best great excellent brilliant wonderful impressive promising useful valuable essential"
    " effective reliable robust sound solid superior works right fair excited love agree support favor favour"
    " improved strong faster safe worth breakthrough clean easy cheap trust recommend prefer future",
    "fr": "bon bonne mieux meilleur excellent utile juste favorable accord réussi progrès victoire espoir avenir",
}
_AGAINST = {
    "en": "bad worse worst poor weak unreliable fail failed fails failure wrong unfair risky doubt skeptical"
    " sceptical overrated hype fad disappointed disappointing dead useless pointless harmful misleading"
    " unnecessary expensive slow dangerous disaster mistake foolish regret against slower dirty waste hate hurts"
    " oppose distrust retire retired scrap scrapped ban banned",
    "fr": "mauvais pire inutile injuste danger dangereux contre échec erreur problème refuse honte crise nuisible",
}
VIEWS = {
    "en": r"\bi (?:\w+ ){0,3}(?:think|thought|believed?|doubt|prefer|love|hate|recommend|trust|agree|oppose)"
    r"\b|\bi(?:'m| am| was) |\b(?:i|we|you)(?: will|'ll)? (?:should|must|never|always|not|no longer)\b"
    r"|\b(?:should|must)\b|\bin my (?:view|opinion)\b",
    "fr": r"\bje (?:ne )?(?:pense|crois|veux|suis)\b|\bil (?:ne )?faut\b|\bon (?:ne )?doit\b",
}
UNSURE = {
    "en": r"^(?:how|what|why|when|where|who|which|do|does|did|is|are|can|could|should|would|once) "
    r"|\b(?:if|unless|whether|suppose|assuming|wonder)\b|\bin case\b|\blet's say\b|\bdon't know\b|\?$",
    "fr": r"\b(?:si|sinon|peut-être)\b|\best-ce\b|\?$",
}
"""What makes a clause take no position: a condition, a question."""
TURNED = {
    "en": r"\b(?:i|we)(?:'ve| have)? (?:\w+ )?(?:changed (?:my|our) minds?|(?:was|were) (?:\w+ )?(?:wrong|against"
    r"|in favou?r|s[ck]eptical|convinced)|used to (?:think|believe|say|love|hate|trust|doubt|prefer)|came around"
    r"|take (?:it|that) back|regret|no longer (?:think|believe|trust|doubt|sure|convinced)"
    r"|(?:am|are) (?:no longer|not so) (?:sure|convinced))\b",
    "fr": r"\bj'ai changé d'avis\b|\bje me suis trompé\b|\bje me trompais\b|\bje (?:ne )?croyais\b"
    r"|\bj'étais (?:contre|pour)\b|\bje ne (?:suis|crois|pense) plus\b",
}
"""Somebody says that their own view turned."""
GIVEN_UP = {
    "en": r"\b(?:i|we) (?:\w+ )?(?:no longer|stopped|gave up|(?:have|had) (?:stopped|given up|abandoned|dropped)"
    r"|abandoned|dropped|moved away from|switched (?:away )?from|replaced) (?:[\w'-]+ ){0,3}",
    "fr": r"\b(?:je|nous|on) (?:n'|ne )\w+ plus (?:\w+ ){0,3}"
    r"|\b(?:j'ai|nous avons|on a) (?:abandonné|renoncé|remplacé) (?:\w+ ){0,3}",
}
"""Somebody says that they do something no longer; the topic follows."""
HELD = {
    "en": r"^(?:i|we)(?:'ve| have)? (?:still |always |now )?(?:use|used|buy|bought|sell|make|made|run|ran|rely on"
    r"|keep|kept|take|took|build|built|adopted|chose|work with|started with) (?:[\w'-]+ ){0,3}",
    "fr": r"^(?:je|nous|on) (?:utilis|achèt|achet|vend|fai|prend|pren|gard|construi)\w+ (?:\w+ ){0,3}",
}
"""Somebody says what they use or make; the topic follows."""
EVENTS = {
    "en": r"\b(?:launch\w*|fork\w*|ship\w*|mainnet|activat\w+|releas\w+|deadline|target\w*|go(?:es|ing)? live"
    r"|schedul\w+|start\w*|happen\w*|ready|open\w*|deliver\w*|plan\w*|arriv\w+|com(?:e|es|ing) out|aim\w*"
    r"|expect\w*|finish\w*|due)\b",
    "fr": r"\b(?:lanc\w+|ouvr\w+|sort\w*|prév\w+|commenc\w+|fini\w*|livr\w+|début\w*|élection\w*)\b",
}
"""What has a day: a launch, a deadline, a plan."""
_MONTH_NAMES = {
    "en": "january february march april may june july august september october november december",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}
_BEFORE_MONTH = r"(?:(?:in|by|of|until|on|for|to|early|mid|late|from|en|d'|de|début|fin|mi)[ -])"
_LINKS = (
    r"(?:,? (?:of|is|are|was|were|to|at|from|now|currently|about|around|roughly|only|up|went|rose|fell|raised"
    r"|lowered|costs?|takes?|reach(?:es|ed)?|hit|be|set|goes|go|increased?|increases|over|almost|nearly|just|like|the|a"
    r"|est|était|de|à|coûte))+ "
)
_NO_NOUN = (
    r"(?= (?:of|for|in|on|at|per|to|from|by|with|and|or|as|is|are|was|were|now|that|which|de|du|en|et|par)\b"
    r"|[^\w\s]|$)"
)
"""What stands behind a topic that is not the beginning of a longer one ("gas limit")."""
AMOUNT = (
    r"(?<![\w.,])(?P<sign>[$€£]?)(?P<number>\d(?:[\d.,]*\d)?)(?![\w-]*\w)"
    r"(?:[- ]?(?P<scale>%|percent|thousand|million|billion|trillion|millions|milliards)(?!\w))?"
    r"(?: (?P<unit>[^\W\d_]{3,}))?"
)


def finds(words: dict[str, str], language: str, lower: str) -> bool:
    """Whether a text, in lower case, has one of a language's words; False in a language without any."""
    pattern = words.get(base_language(language))
    return bool(pattern and re.search(pattern, lower))


def side(lower: str, language: str) -> int:
    """Return +1 for a text that speaks for something, -1 against, 0 for neither; denials are not read."""
    words = set(re.findall(r"[\w'-]+", lower))
    code = base_language(language)
    weight = len(words & set(_FOR.get(code, "").split())) - len(words & set(_AGAINST.get(code, "").split()))
    return (weight > 0) - (weight < 0)


def leads_to(words: dict[str, str], topic: str, language: str, lower: str) -> bool:
    """Whether a text, in lower case, has the words of a language right before the topic."""
    pattern = words.get(base_language(language))
    return bool(pattern and re.search(f"(?:{pattern}){mention(topic)}", lower))


def mention(topic: str) -> str:
    """Return the pattern of a topic as it is written, also in the plural."""
    return r"(?<!\w)" + r"[\s-]".join(map(re.escape, topic.casefold().split())) + r"(?:s|es|x)?(?!\w)"


@cache
def topic_amounts(topic: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of an amount that is the topic's own: `the gas limit is 45 million`, `a 45 % share`."""
    alone = AMOUNT[: AMOUNT.rindex("(?: (?P<unit>")]
    described = r"(?:(?P<which>[^\W\d_]+)[ -])?"
    behind = described + mention(topic) + _NO_NOUN
    return re.compile(described + mention(topic) + _LINKS + AMOUNT), re.compile(f"{alone} {behind}")


@cache
def months(language: str) -> re.Pattern[str]:
    """Return the pattern of a named month; `may` and `mars` only where they must be one."""
    names = _MONTH_NAMES.get(base_language(language), "").split()
    if not names:
        return re.compile(r"(?!)")
    plain = "|".join(name for name in names if name not in {"may", "march", "mars", "mai"})
    doubtful = "|".join(name for name in names if name in {"may", "march", "mars", "mai"})
    return re.compile(
        rf"\b(?P<month>{plain})\b(?P<rest>.{{0,12}})"
        rf"|\b{_BEFORE_MONTH}(?P<doubtful>{doubtful})\b(?P<rest2>.{{0,12}})"
        rf"|\b(?P<dated>{doubtful})(?= \d)(?P<rest3>.{{0,12}})"
    )


def month_number(name: str, language: str) -> int:
    """Return 1 for January."""
    return _MONTH_NAMES[base_language(language)].split().index(name) + 1


@cache
def general_words(language: str) -> frozenset[str]:
    """Return the tokens of words that every statement may share, whatever it speaks of."""
    return frozenset(tokens(" ".join(sorted(GENERIC_WORDS.get(base_language(language), ()))), language))
