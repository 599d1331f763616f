"""What a question is about, cut into phrases that can be searched for, and whether it asks about a change."""

import re
from datetime import timedelta

from answertrail_pipeline.language.names import names
from answertrail_pipeline.language.tokens import base_language, tokens
from answertrail_pipeline.time_windows import find_windows

_LONG_WINDOW = timedelta(days=45)
_QUOTED = re.compile(r"[\"“„«「『]([^\"“”„«»「」『』]{2,80})[\"”“»」』]|(?<!\w)['‘]([^'’]{2,80})['’](?!\w)")
_JOINTS = re.compile(r"[,;:()\[\]/—–、，；：（）・]|\s-\s|-(?=its\b)")
_CONJUNCTIONS = {
    "en": "and|or|versus|vs",
    "de": "und|oder|sowie",
    "fr": "et|ou",
    "es": "y|e|o",
    "it": "e|ed|o",
    "pt": "e|ou",
    "nl": "en|of",
    "ru": "и|или",
}
_CHANGE = {
    "en": r"over time|evol\w+|chang\w+|develop\w*|shift\w*|trajector\w+|progress\w*|revis\w+|turn\w* away|still",
    "de": r"entwick\w+|\w*änder\w+|wandel\w*|im laufe|verschob\w*|verschieb\w*",
    "fr": r"évolu\w+|chang\w+|au fil d|développ\w+|glissé",
    "es": r"evolucion\w*|cambi\w+|a lo largo|desarroll\w+",
    "it": r"evol\w+|cambi\w+|nel tempo|svilupp\w+",
    "pt": r"evolu\w+|mud\w+|ao longo|desenvolv\w+",
    "nl": r"ontwikkel\w+|verander\w+|in de loop|verschoven|evolu\w+",
    "ru": r"измен\w+|эволюц\w+|развива\w+|со временем",
    "ja": r"変わ|変化|推移|変遷|発展|進化",
    "zh": r"变化|变了|演变|转变|发展|變化|演變|轉變",
    "ko": r"변화|바뀌|달라|발전",
}


def asks_over_time(question: str, language: str) -> bool:
    """Return whether a question asks how something developed: by its words, or by a window of 45 days and more."""
    words = _CHANGE.get(base_language(language))
    if words:
        unspaced = base_language(language) in {"ja", "zh", "ko"}
        if re.search(words if unspaced else rf"\b(?:{words})", question, re.IGNORECASE):
            return True
    return any(window.end - window.start >= _LONG_WINDOW for window in find_windows(question))


def topic_parts(question: str, topic: str, language: str) -> list[str]:
    """Return phrases to search for: the topic, what is quoted, its parts between joints, and runs of names.

    Args:
        topic: the question without its frame.
    """
    joints = _CONJUNCTIONS.get(base_language(language))
    pieces = _JOINTS.split(topic)
    if joints:
        pieces = [part for piece in pieces for part in re.split(rf"\b(?:{joints})\b", piece)]
    quoted = [first or second for first, second in _QUOTED.findall(question)]
    return distinct([topic, *quoted, *pieces, *_name_runs(topic)], language)


def distinct(phrases: list[str], language: str) -> list[str]:
    """Return the phrases that say something, each set of words once, in order."""
    found: dict[frozenset[str], str] = {}
    for phrase in phrases:
        words = frozenset(tokens(phrase, language))
        if words:
            found.setdefault(words, " ".join(phrase.split()))
    return list(found.values())


def _name_runs(topic: str) -> list[str]:
    runs: list[list[str]] = []
    before = -2
    for name in names(topic):
        if name.at != before + 1:
            runs.append([])
        runs[-1].append(name.text)
        before = name.at
    return [" ".join(run) for run in runs]
