"""The rules that pick claims out of speech: sentences that stand alone and say something."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from answertrail_pipeline.language.numbers import numbers
from answertrail_pipeline.language.phrases import Phrase, phrases_in, recurring_phrases
from answertrail_pipeline.language.tokens import base_language
from answertrail_pipeline.tasks.claim_cues import CUES
from answertrail_pipeline.tasks.speech import SpokenSentence, spoken_sentences

KEEP = 1.6
"""Score from which a sentence is a claim."""
HIGH = 2.2
"""Score from which it is one with high confidence, if it also stands alone and has a topic."""
MAX_PER_CHUNK = 1.2
"""Claims of a video, at most, for each of its chunks."""
MAX_TOPICS = 4
MIN_WORDS, MAX_WORDS = 7, 45
_AT_START = r"^(?:{})\b"
_OPENERS = r"^(?:(?:{})\b[,.]?\s+)+"


@dataclass(frozen=True)
class FoundClaim:
    """A sentence that the rules take for a claim."""

    text: str
    chunks: tuple[int, ...]
    topics: tuple[str, ...]
    entities: tuple[str, ...]
    score: float
    is_high: bool


def find_claims(chunks: Sequence[str], language: str) -> list[FoundClaim]:
    """Return the claims of a video in order of time.

    A sentence scores for numbers, names, topics that the video comes back to, comparison, opinion and change; it
    loses for hanging on its neighbours ("it", "that"), for fillers, repetitions, greetings, questions, and for
    being too short or too long. What remains above `KEEP` is a claim, word for word as spoken.
    """
    spoken = spoken_sentences(chunks, language)
    speakers = {word for sentence in spoken for word in (sentence.speaker or "").casefold().split()}
    topics = recurring_phrases((sentence.text for sentence in spoken), language, without=speakers)
    found = [claim for sentence in spoken if (claim := _claim(sentence, topics, language))]
    limit = max(3, round(MAX_PER_CHUNK * len(chunks)))
    best = sorted(range(len(found)), key=lambda i: (-found[i].score, i))[:limit]
    return [found[i] for i in sorted(best)]


def _claim(sentence: SpokenSentence, topics: dict[str, Phrase], language: str) -> FoundClaim | None:
    code = base_language(language)
    text = _trim(sentence.text, code)
    words = text.split()
    if "?" in text or (len(words) < MIN_WORDS and not _is_unspaced(text)):
        return None
    here = _topics_of(text, topics, code)
    names = [phrase for phrase in here if topics[phrase].is_name] if here else []
    score = _score(text, words, len(here), len(names), code)
    if score < KEEP:
        return None
    hanging = bool(_cue("hanging", code, _AT_START).search(text.casefold()))
    spoken = f"{sentence.speaker}: {text}" if sentence.speaker else text
    entities = tuple(dict.fromkeys(_as_written(name, text) for name in names))
    is_high = score >= HIGH and bool(here) and not hanging
    return FoundClaim(spoken, sentence.chunks, tuple(here[:MAX_TOPICS]), entities, round(score, 2), is_high)


def _score(text: str, words: Sequence[str], topics: int, names: int, language: str) -> float:
    lower = text.casefold()
    quantities = [quantity for quantity in numbers(text, language) if not quantity.weak]
    score = min(1.5, 0.9 * len(quantities)) + min(1.2, 0.6 * names) + min(0.9, 0.45 * topics)
    score += 0.6 * bool(_cue("comparison", language).search(lower))
    score += 0.6 * bool(_cue("opinion", language).search(lower))
    score += 0.5 * bool(_cue("change", language).search(lower))
    score += 0.4 * bool(_cue("statement", language).search(lower))
    score -= 1.0 * bool(_cue("hanging", language, _AT_START).search(lower))
    score -= 0.4 * len(_cue("filler", language).findall(lower))
    score -= 2.0 * bool(_cue("noise", language).search(lower))
    score -= 0.5 * _repetitions(lower.split())
    score -= 0.6 * (len(words) > MAX_WORDS) + 0.4 * (not _ends(text))
    return score - 0.5 * (len(words) < 9 and not _is_unspaced(text))


def _repetitions(words: Sequence[str]) -> int:
    """Count words said twice in a row ("it's it's"), alone or in pairs: speech that starts over."""
    once = sum(a.strip(",.") == b.strip(",.") for a, b in itertools.pairwise(words))
    return once + sum(words[i : i + 2] == words[i + 2 : i + 4] for i in range(len(words) - 3))


def _topics_of(text: str, topics: dict[str, Phrase], language: str) -> list[str]:
    """Return the recurring phrases of a sentence, the weightiest first, without those inside a longer one."""
    here = [phrase for phrase in dict.fromkeys(phrases_in(text, language)) if phrase in topics]
    here.sort(key=lambda phrase: (-_weight(topics[phrase]), phrase))
    kept: list[str] = []
    for phrase in sorted(here, key=lambda phrase: -len(phrase.split())):
        if not any(f" {phrase} " in f" {longer} " for longer in kept):
            kept.append(phrase)
    return [phrase for phrase in here if phrase in kept]


def _weight(phrase: Phrase) -> float:
    return float(phrase.count * (1 + 0.8 * (len(phrase.text.split()) - 1)) * (1.3 if phrase.is_name else 1.0))


def _trim(text: str, language: str) -> str:
    """Take off the words that only open a turn ("So, yeah,"), and begin with a capital."""
    text = text.strip(' -–—"“”«»…')
    match = _cue("opener", language, _OPENERS).match(text.casefold())
    if match and len(text.casefold()) == len(text):
        text = text[match.end() :]
    return text[:1].upper() + text[1:]


def _ends(text: str) -> bool:
    return text.endswith((".", "!", "。", "！", '."', ".”"))


def _is_unspaced(text: str) -> bool:
    return len(text) > 12 * (text.count(" ") + 1)


def _as_written(phrase: str, text: str) -> str:
    at = text.casefold().find(phrase)
    return text[at : at + len(phrase)] if at >= 0 else phrase


@cache
def _cue(kind: str, language: str, form: str = r"\b(?:{})\b") -> re.Pattern[str]:
    words = " ".join(CUES.get(language, {}).get(kind, "").split()).split(" ; ")
    return re.compile(form.format("|".join(words)) if words != [""] else r"(?!)")
